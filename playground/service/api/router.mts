import { json, Router } from 'express';
import { description, routes } from '../description.mts';
import type { Service } from '../service.mts';
import { authenticate } from './authenticate.mts';
import { apiErrorHandler } from './error-handler.mts';
import { latency, rateLimit } from './limits.mts';
import { operations } from './operations.mts';
import { validateWith } from './validation.mts';

export function apiRouter(service: Service): Router {
	const router = Router();
	const { validateResponses } = service;

	router.use(latency(service), rateLimit(service), authenticate(service), json());
	router.use(validateWith(description, validateResponses));
	for (const { method, path, operationId } of routes) {
		const operation = operations[operationId];
		if (!operation) throw new Error(`openapi.yaml: no operation ${operationId}`);
		router[method](path, (request, response) => operation(service, request, response));
	}
	router.use(apiErrorHandler(service));
	return router;
}
