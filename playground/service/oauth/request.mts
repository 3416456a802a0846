import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request } from 'express';

/** OAuth parameters come in the form body only, where they stay out of logs of addresses. */
export const toOAuthRequest = ({ headers, method, body }: Request): OAuth2Server.Request =>
	new OAuth2Server.Request({
		headers: headers as Record<string, string>,
		method,
		query: {},
		body: body as unknown,
	});
