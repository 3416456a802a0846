import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from './errorMessage';
import { ALLOWS_NO_MORE, errorBodyOf, messageOf } from './errorMessage';
import { redact } from './redact';
import type { Outcome } from './types';

/** What an error item carries beside the message (see `details` of the router). */
export interface ErrorDetails extends JsonObject {
	status: number | null;
	code: string | null;
	hint: string | null;
	docs: string | null;
}

/** Whether the service refused a subscription because there are too many. */
export const isAllowanceError = (error: Error): boolean => error.message.includes(ALLOWS_NO_MORE);

/** Whether the service answered that it did nothing. */
export const isRefusal = (error: Error): boolean =>
	/^4/.test((error as Error & { httpCode?: string }).httpCode ?? '');

/** Whether the service failed, or was not reached, rather than refuse: later it may work. */
export const isFault = (error: Error): boolean =>
	error instanceof NodeApiError && /^(5|429|$)/.test(error.httpCode ?? '');

/** Whether the API says so itself, rather than whatever else may answer at that address. */
export const isAbsence = (outcome: Outcome): boolean =>
	outcome.kind === 'answer' && outcome.status === 404 && errorBodyOf(outcome).code !== '';

export function apiError(node: INode, failure: Failure): NodeApiError {
	const { outcome, secrets } = failure;
	const clean = (text: string) => redact(text, secrets);
	const body = errorBodyOf(outcome);
	const status = outcome.kind === 'answer' ? outcome.status : null;
	const details: ErrorDetails = {
		status,
		code: clean(body.code) || null,
		hint: clean(body.hint) || null,
		docs: clean(body.docs) || null,
	};
	const description = [
		details.code && `Code: ${details.code}`,
		details.hint && `Hint: ${details.hint}`,
		details.docs && `Documentation: ${details.docs}`,
	]
		.filter(Boolean)
		.join('\n');
	const message = clean(messageOf(failure));
	const error = new NodeApiError(
		node,
		{ message, ...details },
		{ message, description, httpCode: status === null ? undefined : String(status) },
	);
	// NodeApiError replaces any message that happens to contain a name like EEXIST (n8n-workflow,
	// errors/abstract/node.error.ts, setDescriptiveErrorMessage).
	error.message = message;
	error.context.data = details;
	return error;
}
