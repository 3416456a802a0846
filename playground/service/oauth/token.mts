import type OAuth2Server from '@node-oauth/oauth2-server';
import type { RequestHandler } from 'express';
import type { Service } from '../service.mts';
import { accessTokenLifetimeSeconds, refreshTokenLifetimeSeconds } from './direct-token.mts';
import { askLibrary } from './library.mts';

const options = {
	accessTokenLifetime: accessTokenLifetimeSeconds,
	refreshTokenLifetime: refreshTokenLifetimeSeconds,
	// A public client (PKCE without a secret) refreshes without a secret, too.
	requireClientAuthentication: { refresh_token: false },
};

export const tokenEndpoint =
	(service: Service, server: OAuth2Server): RequestHandler =>
	async (request, response) => {
		const { answer, problem } = await askLibrary(service, request, (asked, given) =>
			server.token(asked, given, options),
		);
		// The library subtracts the elapsed milliseconds and rounds down.
		if (!problem) answer.body.expires_in = accessTokenLifetimeSeconds;
		response.status(answer.status ?? 500).set(answer.headers ?? {});
		response.json(answer.body);
	};
