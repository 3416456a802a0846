import type { ErrorRequestHandler } from 'express';
import type { Service } from '../service.mts';
import { apiError, errorBody, isApiError, type ApiError } from './errors.mts';

type HttpError = Error & { status?: number };

const clientStatuses: Record<number, number> = { 413: 400, 415: 400 };

/** Validation and body parsing throw errors with a status; all others are internal errors. */
function toApiError(error: HttpError): ApiError {
	if (isApiError(error)) return error;
	const status = error.status ?? 500;
	if (status >= 500) return apiError(500, 'The service failed to answer the request.');
	return apiError(clientStatuses[status] ?? status, error.message);
}

export const apiErrorHandler =
	(service: Service): ErrorRequestHandler =>
	(error: HttpError, request, response, next) => {
		const answer = toApiError(error);
		if (answer.status === 500) {
			service.log(`${request.method} ${request.originalUrl.split('?')[0]}: ${error.message}`);
		}
		if (response.headersSent) return next(error);
		response.status(answer.status).json(errorBody(service, answer));
	};
