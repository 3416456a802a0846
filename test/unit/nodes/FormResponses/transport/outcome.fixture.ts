import type { Failure } from '../../../../../nodes/FormResponses/transport/types';

/** What came of a request that did not succeed. */
type Outcome = Failure['outcome'];

export const answer = (
	status: number,
	body?: unknown,
	headers: Record<string, string> = {},
): Outcome => ({ kind: 'answer', status, headers, body });

export const unreadable = (status: number, body?: unknown): Outcome => ({
	kind: 'unreadable',
	status,
	body,
});

export const fault = (code: string, elsewhere?: string): Outcome => ({
	kind: 'fault',
	code,
	elsewhere,
});

export const impossible = (message: string, code?: string): Outcome => ({
	kind: 'impossible',
	code,
	message,
});

export const tokenless = (message: string, fields: object = {}): Outcome => ({
	kind: 'tokenless',
	isTransient: false,
	message,
	...fields,
});

export const canceled: Outcome = { kind: 'canceled' };
