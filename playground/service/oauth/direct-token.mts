import type { Service } from '../service.mts';
import { newSecret } from '../store/secret.mts';
import { demoClient } from './client.mts';
import { allScopes } from './scopes.mts';

export type DirectToken = { scope?: string; expiresInSeconds?: number; user?: boolean };

export const refreshTokenLifetimeSeconds = 14 * 24 * 3600;

/** A token without any grant, for tests that are about something else. */
export function issueToken(service: Service, { scope, expiresInSeconds, user }: DirectToken) {
	const accessToken = newSecret();
	const refreshToken = service.settings.refreshTokens ? newSecret() : null;
	const lifetime = expiresInSeconds ?? service.settings.accessTokenLifetimeSeconds;
	service.store.tokens.add(
		{
			clientId: demoClient.id,
			hasUser: user ?? true,
			scopes: scope === undefined ? allScopes : scope.split(/\s+/).filter(Boolean),
			accessExpiresAt: Date.now() + lifetime * 1000,
			refreshExpiresAt: Date.now() + refreshTokenLifetimeSeconds * 1000,
		},
		accessToken,
		refreshToken,
	);
	return { accessToken, refreshToken };
}
