import { json, Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { z } from 'zod';
import { isApiError } from '../api/errors.mts';
import type { Service } from '../service.mts';
import { conditions } from './conditions.mts';
import { data } from './data.mts';
import { logs } from './logs.mts';
import type { Operation } from './operation.mts';

const handler =
	(service: Service, { schema, run }: Operation): RequestHandler =>
	async (request, response) => {
		const id = String(request.params.id).toLowerCase();
		const body: unknown = schema?.parse(request.body ?? {});
		const answer = await run({ service, body, id });
		if (answer === undefined) response.status(204).end();
		else response.json(answer);
	};

const errorHandler =
	(service: Service): ErrorRequestHandler =>
	(error: Error & { status?: number }, request, response, next) => {
		const isRefused = error instanceof z.ZodError;
		const status = isRefused ? 400 : (error.status ?? 500);
		const message = isRefused ? z.prettifyError(error) : error.message;
		if (status >= 500 && !isApiError(error)) {
			service.log(`${request.method} ${request.originalUrl.split('?')[0]}: ${message}`);
		}
		if (response.headersSent) return next(error);
		response.status(status).json({ error: message });
	};

/** Control API for tests, without authentication; not part of the API. */
export function controlRouter(service: Service): Router {
	const router = Router();
	router.use(json({ limit: '100mb' }));
	for (const operation of [...data, ...logs, ...conditions]) {
		router[operation.method](operation.path, handler(service, operation));
	}
	router.use((_request, response) => {
		response.status(404).json({ error: 'There is no such control.' });
	});
	router.use(errorHandler(service));
	return router;
}
