import type { RequestHandler, Response } from 'express';
import { demoUser } from '../workspace.mts';
import type { Service } from '../service.mts';
import type { User } from '../types.mts';
import { apiError } from './errors.mts';

type Caller = { kind: 'apiKey' | 'oauth'; scopes: readonly string[]; user: User | null };

/** The API grants a Workspace API key only responses:read. */
const apiKey = 'live_playground_key';
const keyHolder: Caller = { kind: 'apiKey', scopes: ['responses:read'], user: null };

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

function identify(service: Service, header: string | undefined): Caller {
	if (header === undefined) throw apiError(401, 'The Authorization header is missing.');
	const token = bearer.exec(header)?.[1];
	if (!token) throw apiError(401, 'The Authorization header holds no bearer token.');
	if (token === apiKey) return keyHolder;
	const found = service.store.tokens.byAccessToken(token);
	if (!found) throw apiError(401, 'The token is invalid.');
	if (found.accessExpiresAt <= Date.now()) {
		throw apiError(401, 'The access token has expired.', 'Refresh the access token.');
	}
	return { kind: 'oauth', scopes: found.scopes, user: demoUser };
}

export const authenticate =
	(service: Service): RequestHandler =>
	(request, response, next) => {
		response.set('WWW-Authenticate', 'Bearer');
		const caller = identify(service, request.headers.authorization);
		response.removeHeader('WWW-Authenticate');
		response.locals.caller = caller;
		response.locals.record.authenticatedAs = caller.kind;
		next();
	};

export const callerOf = (response: Response): Caller => response.locals.caller as Caller;

export function requireScopes({ kind, scopes }: Caller, needed: string[]): true {
	const missing = needed.filter((scope) => !scopes.includes(scope));
	if (missing.length === 0) return true;
	const limit = kind === 'apiKey' ? ' A Workspace API key grants responses:read only.' : '';
	throw apiError(403, `The token lacks the scope ${missing.join(' ')}.${limit}`);
}
