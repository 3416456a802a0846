import { errorHandler, type HttpError } from '../errors.mts';
import type { Service } from '../service.mts';

export type ApiError = Error & { status: number; code: string; hint: string };

/** The API does not say which code goes with which status: this mapping is the service's own. */
const documentedErrors: Record<number, { code: string; hint: string }> = {
	400: { code: 'invalid_request', hint: 'Correct the request as the message says.' },
	401: {
		code: 'unauthorized',
		hint: 'Send the header Authorization: Bearer <token> with a Workspace API key or an OAuth access token.',
	},
	403: { code: 'insufficient_scope', hint: 'Use a token that was granted the scope.' },
	404: { code: 'not_found', hint: 'Check the address and the identifiers in it.' },
	405: { code: 'method_not_allowed', hint: 'Use a method that the path supports.' },
	429: { code: 'rate_limited', hint: 'Wait as the Retry-After header says, then try again.' },
	500: { code: 'internal_error', hint: 'Try again later.' },
};

const documentedCode = (status: number): string =>
	documentedErrors[status]?.code ?? (status < 500 ? 'invalid_request' : 'internal_error');

export function apiError(status: number, message: string, hint?: string, code?: string): ApiError {
	return Object.assign(new Error(message), {
		status,
		code: code ?? documentedCode(status),
		hint: hint ?? documentedErrors[status]?.hint ?? 'Try again later.',
	});
}

/** Body parsers say 413 and 415, which the API does not have. */
const otherStatuses: Record<number, number> = { 413: 400, 415: 400 };

function toApiError(error: HttpError): ApiError {
	const { status, message } = error;
	if ('code' in error && 'hint' in error) return error as ApiError;
	if (status >= 500) return apiError(500, 'The service failed to answer the request.');
	return apiError(otherStatuses[status] ?? status, message);
}

export const errorBody = (service: Pick<Service, 'url'>, error: ApiError) => ({
	error: error.message,
	code: error.code,
	message: error.message,
	hint: error.hint,
	docs: `${service.url}/api/v1/openapi.json`,
});

export const apiErrorHandler = (service: Service) =>
	errorHandler(service, (error, response) => {
		const answer = toApiError(error);
		response.status(answer.status).json(errorBody(service, answer));
	});
