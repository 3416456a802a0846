import OAuth2Server from '@node-oauth/oauth2-server';
import { Router, urlencoded, type RequestHandler } from 'express';
import type { Service } from '../service.mts';
import { allowEndpoint, authorizePage } from './authorize.mts';
import { accessTokenLifetimeSeconds, refreshTokenLifetimeSeconds } from './direct-token.mts';
import { createModel } from './model.mts';
import { toOAuthRequest } from './request.mts';

type OAuthError = Error & { code?: number };

const tokenEndpoint =
	(service: Service, server: OAuth2Server): RequestHandler =>
	async (request, response) => {
		const answer = new OAuth2Server.Response();
		try {
			await server.token(toOAuthRequest(request), answer, {
				accessTokenLifetime: accessTokenLifetimeSeconds,
				refreshTokenLifetime: refreshTokenLifetimeSeconds,
				// A public client (PKCE without a secret) refreshes without a secret, too.
				requireClientAuthentication: { refresh_token: false },
			});
			// The library subtracts the elapsed milliseconds and rounds down.
			answer.body.expires_in = accessTokenLifetimeSeconds;
		} catch (error) {
			const { code, name } = error as OAuthError;
			if (code === undefined || code >= 500) service.log(`POST /oauth/token: ${name}`);
		}
		response.status(answer.status ?? 500).set(answer.headers ?? {});
		response.json(answer.body);
	};

export function oauthRouter(service: Service): Router {
	const server = new OAuth2Server({ model: createModel(service) });
	const router = Router();
	const form = urlencoded({ extended: false });

	router.get('/authorize', authorizePage());
	router.post('/authorize', form, allowEndpoint(service, server));
	router.post('/token', form, tokenEndpoint(service, server));
	return router;
}
