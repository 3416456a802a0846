import type {
	AuthorizationCode,
	AuthorizationCodeModel,
	Client,
	ClientCredentialsModel,
	RefreshToken,
	RefreshTokenModel,
	Token,
	User,
} from '@node-oauth/oauth2-server';
import type { Service } from '../service.mts';
import { newSecret } from '../store/secret.mts';
import { demoUser } from '../workspace.mts';
import { demoClient, isAllowedRedirect } from './client.mts';
import { allScopes } from './scopes.mts';

type Model = AuthorizationCodeModel & ClientCredentialsModel & RefreshTokenModel;

const { secret: demoSecret, ...client } = demoClient;

export function createModel(service: Service): Model {
	const { tokens, codes } = service.store;

	return {
		generateAccessToken: async () => newSecret(),
		generateRefreshToken: async () => newSecret(),
		generateAuthorizationCode: async () => newSecret(),
		async getClient(clientId, clientSecret) {
			const isSecretRight = !clientSecret || clientSecret === demoSecret;
			return clientId === client.id && isSecretRight ? client : null;
		},
		getUserFromClient: async () => demoUser,
		validateRedirectUri: async (redirectUri: string) => isAllowedRedirect(redirectUri),
		async validateScope(_user: User, _client: Client, scopes?: string[]) {
			if (!scopes || scopes.length === 0) return allScopes;
			return scopes.every((scope) => allScopes.includes(scope)) ? scopes : false;
		},
		async saveAuthorizationCode(code, codeClient, user) {
			codes.add(
				{
					clientId: codeClient.id,
					redirectUri: code.redirectUri,
					scopes: code.scope ?? allScopes,
					expiresAt: code.expiresAt.getTime(),
					codeChallenge: code.codeChallenge ?? null,
					codeChallengeMethod: code.codeChallengeMethod ?? null,
				},
				code.authorizationCode,
			);
			return { ...code, client: codeClient, user };
		},
		async getAuthorizationCode(secret): Promise<AuthorizationCode | null> {
			const code = codes.get(secret);
			if (!code) return null;
			return {
				authorizationCode: secret,
				expiresAt: new Date(code.expiresAt),
				redirectUri: code.redirectUri,
				scope: code.scopes,
				client,
				user: demoUser,
				...(code.codeChallenge && {
					codeChallenge: code.codeChallenge,
					codeChallengeMethod: code.codeChallengeMethod ?? undefined,
				}),
			};
		},
		revokeAuthorizationCode: async ({ authorizationCode }) => codes.remove(authorizationCode),
		async saveToken(token, tokenClient, user): Promise<Token> {
			const refreshToken = service.settings.refreshTokens ? token.refreshToken : undefined;
			tokens.add(
				{
					clientId: tokenClient.id,
					hasUser: true,
					scopes: token.scope ?? allScopes,
					accessExpiresAt: token.accessTokenExpiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER,
					refreshExpiresAt: token.refreshTokenExpiresAt?.getTime() ?? null,
				},
				token.accessToken,
				refreshToken ?? null,
			);
			return { ...token, refreshToken, client: tokenClient, user };
		},
		async getRefreshToken(refreshToken): Promise<RefreshToken | null> {
			const token = tokens.byRefreshToken(refreshToken);
			if (!token) return null;
			return {
				refreshToken,
				refreshTokenExpiresAt: new Date(token.refreshExpiresAt ?? 0),
				scope: token.scopes,
				client,
				user: demoUser,
			};
		},
		revokeToken: async ({ refreshToken }) => tokens.revokeRefreshToken(refreshToken),
		async getAccessToken(accessToken): Promise<Token | null> {
			const token = tokens.byAccessToken(accessToken);
			if (!token) return null;
			return {
				accessToken,
				accessTokenExpiresAt: new Date(token.accessExpiresAt),
				scope: token.scopes,
				client,
				user: demoUser,
			};
		},
	};
}
