import type { z } from 'zod';
import { apiError } from '../api/errors.mts';
import type { Service } from '../service.mts';

type Call<Body> = { service: Service; body: Body; id: string };

export type Operation = {
	method: 'get' | 'post' | 'put' | 'delete';
	path: string;
	/** Undefined if the operation takes no body. */
	schema?: z.ZodType;
	/** Its result is the body of the reply; undefined gives 204. */
	run: (call: Call<any>) => unknown;
};

export const withoutBody = (
	method: Operation['method'],
	path: string,
	run: (call: Call<unknown>) => unknown,
): Operation => ({ method, path, run });

export const withBody = <Schema extends z.ZodType>(
	method: Operation['method'],
	path: string,
	schema: Schema,
	run: (call: Call<z.output<Schema>>) => unknown,
): Operation => ({ method, path, schema, run });

/** @throws ApiError 404 if the value is missing */
export function found<Value>(value: Value | null | false, what: string): Value {
	if (!value) throw apiError(404, `There is no such ${what}.`);
	return value;
}
