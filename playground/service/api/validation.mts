import type { RequestHandler, Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { apiError } from './errors.mts';
import type { Caller } from './authenticate.mts';

type Description = Parameters<typeof middleware>[0]['apiSpec'];

export const callerOf = (response: Response): Caller => response.locals.caller as Caller;

function requireScopes(caller: Caller, scopes: string[]): true {
	const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
	if (missing.length === 0) return true;
	const limit = caller.kind === 'apiKey' ? ' A Workspace API key grants responses:read only.' : '';
	throw apiError(403, `The token lacks the scope ${missing.join(' ')}.${limit}`);
}

/** Copies the description, because the validator mutates it. */
export const validateWith = (description: object, validateResponses: boolean): RequestHandler[] =>
	middleware({
		apiSpec: structuredClone(description) as Description,
		validateRequests: { allowUnknownQueryParameters: true },
		validateResponses,
		validateSecurity: {
			handlers: {
				bearer: (request, scopes) => requireScopes(callerOf(request.res as Response), scopes),
			},
		},
		fileUploader: false,
	}) as RequestHandler[];
