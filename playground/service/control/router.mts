import { json, Router, type ErrorRequestHandler } from 'express';
import { isApiError } from '../api/errors.mts';
import { validateWith } from '../api/validation.mts';
import { routesOf } from '../openapi-routes.mts';
import type { Service } from '../service.mts';
import { conditionOperations } from './conditions.mts';
import { formOperations } from './forms.mts';
import { logOperations } from './logs.mts';
import description from './openapi.json' with { type: 'json' };
import type { Operations } from './operation.mts';
import { responseOperations } from './responses.mts';

const operations: Operations = {
	...formOperations,
	...responseOperations,
	...logOperations,
	...conditionOperations,
};

const errorHandler =
	(service: Service): ErrorRequestHandler =>
	(error: Error & { status?: number }, request, response, next) => {
		const { status = 500, message } = error;
		if (status >= 500 && !isApiError(error)) {
			service.log(`${request.method} ${request.originalUrl.split('?')[0]}: ${message}`);
		}
		if (response.headersSent) return next(error);
		response.status(status).json({ error: message });
	};

export function controlRouter(service: Service): Router {
	const router = Router();
	router.use(json({ limit: '100mb' }));
	router.use(validateWith(description, { validateResponses: false, security: false }));
	for (const { method, path, operationId } of routesOf(description)) {
		const operation = operations[operationId];
		if (!operation) throw new Error(`control/openapi.json: no operation ${operationId}`);
		router[method](path, (request, response) => operation(service, request, response));
	}
	router.use(errorHandler(service));
	return router;
}
