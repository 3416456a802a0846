import type { Service } from '../service.mts';
import { newSecret } from '../store/tokens.mts';
import { allScopes } from './scopes.mts';

type DirectToken = { scope?: string; expiresInSeconds?: number };

export const accessTokenLifetimeSeconds = 3600;
export const refreshTokenLifetimeSeconds = 14 * 24 * 3600;

/** Issues a token without a grant, for tests. */
export function issueToken(service: Service, { scope, expiresInSeconds }: DirectToken) {
	const [accessToken, refreshToken] = [newSecret(), newSecret()];
	service.store.tokens.add(
		{
			scopes: scope === undefined ? allScopes : scope.split(/\s+/).filter(Boolean),
			accessExpiresAt: Date.now() + (expiresInSeconds ?? accessTokenLifetimeSeconds) * 1000,
			refreshExpiresAt: Date.now() + refreshTokenLifetimeSeconds * 1000,
		},
		accessToken,
		refreshToken,
	);
	return { accessToken, refreshToken };
}
