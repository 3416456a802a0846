import { z } from 'zod';

const status = z.int().min(200).max(599);

const isPattern = (text: string): boolean => {
	try {
		return new RegExp(text) instanceof RegExp;
	} catch {
		return false;
	}
};

const when = {
	match: z
		.strictObject({
			method: z.string().toUpperCase().optional(),
			/** Regular expression for the path below /api/v1, or the whole path. */
			path: z.string().refine(isPattern, 'must be a regular expression').optional(),
		})
		.default({}),
	/** Matching requests that pass first. */
	skip: z.int().nonnegative().default(0),
	/** null: unlimited. */
	times: z.int().positive().nullable().default(1),
};

export const faultSchema = z.discriminatedUnion('kind', [
	/** Any answer; without a body, the documented error. */
	z.strictObject({
		...when,
		kind: z.literal('status'),
		status,
		/** null removes the header. */
		headers: z.record(z.string(), z.string().nullable()).default({}),
		body: z.unknown().optional(),
		code: z.string().optional(),
	}),
	z.strictObject({ ...when, kind: z.literal('delay'), ms: z.number().nonnegative() }),
	/** Resets the connection; the request is not handled. */
	z.strictObject({ ...when, kind: z.literal('reset') }),
	/** Handles the request, but never sends the reply. */
	z.strictObject({ ...when, kind: z.literal('lostReply') }),
	/** Handles the request, but cuts off the reply. */
	z.strictObject({
		...when,
		kind: z.literal('cutOff'),
		how: z.enum(['length', 'chunks', 'gzip']),
		status: status.optional(),
	}),
	z.strictObject({ ...when, kind: z.literal('hang') }),
]);

export type Fault = z.output<typeof faultSchema>;
export type FaultRequest = z.input<typeof faultSchema>;
export type FaultKind = Fault['kind'];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;
