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
import { newSecret } from '../store/tokens.mts';
import { demoUser } from '../workspace.mts';
import { demoClient, isAllowedRedirect } from './client.mts';
import { allScopes } from './scopes.mts';

type Model = AuthorizationCodeModel & ClientCredentialsModel & RefreshTokenModel;

const { secret: demoSecret, ...client } = demoClient;

const clients = {
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
} satisfies Partial<Model>;

/** They last for minutes, so a restart may lose them. */
function createCodes() {
	const codes = new Map<string, AuthorizationCode>();
	return {
		async saveAuthorizationCode(code, codeClient, user) {
			const saved = { ...code, scope: code.scope ?? allScopes, client: codeClient, user };
			codes.set(code.authorizationCode, saved);
			return saved;
		},
		getAuthorizationCode: async (code) => codes.get(code),
		revokeAuthorizationCode: async ({ authorizationCode }) => codes.delete(authorizationCode),
	} satisfies Partial<Model>;
}

export function createModel({ store: { tokens } }: Service): Model {
	return {
		...clients,
		...createCodes(),
		generateAccessToken: async () => newSecret(),
		generateRefreshToken: async () => newSecret(),
		generateAuthorizationCode: async () => newSecret(),
		async saveToken(token, tokenClient, user): Promise<Token> {
			const { accessToken, refreshToken = newSecret() } = token;
			tokens.add(
				{
					scopes: token.scope ?? allScopes,
					accessExpiresAt: token.accessTokenExpiresAt?.getTime() ?? 0,
					refreshExpiresAt: token.refreshTokenExpiresAt?.getTime() ?? 0,
				},
				accessToken,
				refreshToken,
			);
			return { ...token, client: tokenClient, user };
		},
		async getRefreshToken(refreshToken): Promise<RefreshToken | null> {
			const token = tokens.byRefreshToken(refreshToken);
			if (!token) return null;
			return {
				refreshToken,
				refreshTokenExpiresAt: new Date(token.refreshExpiresAt),
				scope: token.scopes,
				client,
				user: demoUser,
			};
		},
		revokeToken: async ({ refreshToken }) => tokens.revokeRefreshToken(refreshToken),
		/** The library has no access token to look up: api/authenticate.mts does that. */
		getAccessToken: async () => null,
	};
}
