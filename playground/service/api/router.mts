import { json, Router, type RequestHandler, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { description } from '../description.mts';
import type { Service } from '../service.mts';
import { authenticate, callerOf, requireScopes } from './authenticate.mts';
import { apiErrorHandler } from './errors.mts';
import { latency, rateLimit } from './limits.mts';
import { operations } from './operations.mts';

type Options = Parameters<typeof middleware>[0];

/** Refuses what openapi.yaml does not allow. */
const validator = (service: Service): RequestHandler[] =>
	middleware({
		// Copied, because the validator changes it.
		apiSpec: structuredClone(description) as Options['apiSpec'],
		validateRequests: { allowUnknownQueryParameters: true },
		validateResponses: service.validateResponses,
		validateSecurity: {
			handlers: {
				bearer: (request, scopes) => requireScopes(callerOf(request.res as Response), scopes),
			},
		},
		fileUploader: false,
	}) as RequestHandler[];

export const apiRouter = (service: Service): Router =>
	Router()
		.use(latency(service), rateLimit(service), authenticate(service), json())
		.use(validator(service), operations(service))
		.use(apiErrorHandler(service));
