import type { Failure as FailureOfN8n, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { errorBodyOf } from './errorBody';
import { isDoubtful, isFull, messageOf } from './errorMessage';
import { redact } from './redact';
import { isTransient } from './retry';
import type { Failure } from './types';

/** The details of an error item, besides its message. */
export interface ErrorDetails extends JsonObject {
	status: number | null;
	code: string | null;
	hint: string | null;
	docs: string | null;
}

const flagged = (flag: string) => (error: Error) =>
	error instanceof NodeApiError && error.context[flag] === true;

/** Whether the service refused a hook because there are too many. */
export const isAllowanceError = flagged('isAllowanceError');

/** Whether the service failed or could not be reached: a retry may help. */
export const isFault = flagged('isFault');

/** Whether the service may have made a hook, and its answer was lost. */
export const isAnswerLost = flagged('isAnswerLost');

/** The same, or its answer could not be read. */
export const mayBeDone = flagged('mayBeDone');

/** The wait that the service asked for, in milliseconds. */
export const retryAfterOf = (error: Error): number | undefined =>
	error instanceof NodeApiError ? (error.context.retryAfterMs as number | undefined) : undefined;

/** Whether the API itself has no such thing, rather than another server at that address. */
export const isAbsent = (error: Error): boolean =>
	error instanceof NodeApiError &&
	(error.context.data as ErrorDetails | undefined)?.code === 'not_found';

/** The cause in n8n's terms: whether waiting helps, or the user must act. */
function causeOf({ outcome, askedWaitMs: retryAfterMs }: Failure): FailureOfN8n | undefined {
	const status = outcome.kind === 'answer' ? outcome.status : undefined;
	if (status === 429) return { cause: 'rate-limited', retryAfterMs };
	const isTokenless = outcome.kind === 'tokenless' && !outcome.isTransient;
	if (status === 401 || isTokenless) return { cause: 'credential-invalid' };
	if (outcome.kind === 'canceled' || status === 400) return undefined;
	const isPermanent = outcome.kind === 'impossible' || (status !== undefined && status < 500);
	return isPermanent
		? { cause: 'configuration-invalid' }
		: { cause: 'temporarily-unavailable', retryAfterMs };
}

export function apiError(node: INode, failure: Failure): NodeApiError {
	const { outcome, secrets } = failure;
	const { code, hint, docs } = errorBodyOf(outcome, secrets);
	const status = outcome.kind === 'answer' ? outcome.status : null;
	const message = redact(messageOf(failure), secrets);
	const details: ErrorDetails = {
		status,
		code: code || null,
		hint: message.includes(hint) ? null : hint,
		docs: docs || null,
	};
	const httpCode = status === null ? undefined : String(status);
	const description = code && `Code: ${code}`;
	const more = { message, description, httpCode, failure: causeOf(failure) };
	const error = new NodeApiError(node, { message, ...details }, more);
	// NodeApiError replaces any message that happens to contain a name like EEXIST (n8n-workflow,
	// errors/abstract/node.error.ts, setDescriptiveErrorMessage).
	error.message = message;
	error.context.data = details;
	error.context.isFault = status === 429 || isTransient(outcome);
	error.context.isAnswerLost = outcome.kind === 'fault' && isDoubtful(failure);
	error.context.mayBeDone = outcome.kind !== 'answer' && isDoubtful(failure);
	error.context.isAllowanceError = isFull(failure);
	error.context.retryAfterMs = failure.askedWaitMs;
	return error;
}

/** An error in our own words: n8n replaces some by its own (n8n-workflow, node.error.ts). */
export function plainError(node: INode, message: string, itemIndex?: number): NodeOperationError {
	const error = new NodeOperationError(node, message, { itemIndex });
	error.message = message;
	return error;
}
