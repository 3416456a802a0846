import type { z } from 'zod';
import { apiError } from '../api/errors.mts';
import type { Service } from '../service.mts';

type Call<Body> = { service: Service; body: Body; id: string };

export type Operation = {
	method: 'get' | 'post' | 'put' | 'delete';
	path: string;
	/** Undefined where a body would be ignored. */
	schema?: z.ZodType;
	/** What it returns is the answer; nothing: 204. */
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

/** @throws 404 where there is none */
export function found<Value>(value: Value | null | false, what: string): Value {
	if (!value) throw apiError(404, `There is no such ${what}.`);
	return value;
}
