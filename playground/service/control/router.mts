import { json, Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { z } from 'zod';
import { apiError } from '../api/errors.mts';
import { errorHandler } from '../errors.mts';
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

/** Says what is wrong with a body. */
const refusals: ErrorRequestHandler = (error, _request, _response, next) =>
	next(error instanceof z.ZodError ? apiError(400, z.prettifyError(error)) : error);

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
	router.use(refusals);
	router.use(
		errorHandler(service, ({ status, message }, response) => {
			response.status(status).json({ error: message });
		}),
	);
	return router;
}
