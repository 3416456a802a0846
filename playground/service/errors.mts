import type { ErrorRequestHandler, Response } from 'express';
import type { Service } from './service.mts';

/** Errors of Express, of the validator and of the API have a status; all others are the service's own. */
export type HttpError = Error & { status: number };

/** Answers a request that failed, and logs what is the service's own fault. */
export const errorHandler =
	(service: Service, answer: (error: HttpError, response: Response) => void): ErrorRequestHandler =>
	(error: Error & { status?: number }, request, response, next) => {
		const { status = 500, message } = error;
		if (status >= 500) {
			service.log(`${request.method} ${request.originalUrl.split('?')[0]}: ${message}`);
		}
		if (response.headersSent) next(error);
		else answer(Object.assign(error, { status }), response);
	};
