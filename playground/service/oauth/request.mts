import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request } from 'express';

/** Accepts OAuth parameters only in the body, which keeps them out of URL logs. */
export const toOAuthRequest = ({ headers, method, body }: Request): OAuth2Server.Request =>
	new OAuth2Server.Request({
		headers: headers as Record<string, string>,
		method,
		query: {},
		body: body as unknown,
	});
