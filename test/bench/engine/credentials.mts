import type { ICredentialType, ICredentialsHelper, INodeProperties } from 'n8n-workflow';

type Data = Record<string, unknown>;

/** One OAuth2 credential in memory, connected. */
export function credentialsHelper(
	Base: typeof ICredentialsHelper,
	type: ICredentialType,
	{ baseUrl, accessToken }: { baseUrl: string; accessToken: string },
): ICredentialsHelper {
	const values: Data = {
		baseUrl,
		grantType: 'authorizationCode',
		authentication: 'header',
		oauthTokenData: { access_token: accessToken, token_type: 'Bearer' },
	};
	const parts = {
		getParentTypes: () => type.extends ?? [],
		isCredentialUsableByNode: () => true,
		authenticate: async (_: Data, __: string, options: unknown) => options,
		preAuthentication: async () => undefined,
		runPreAuthentication: async () => undefined,
		getDecrypted: async () => structuredClone(values),
		getCredentialsProperties: (): INodeProperties[] => type.properties,
	};
	class InMemory extends (Base as unknown as new () => object) {}
	return Object.assign(new InMemory(), parts) as unknown as ICredentialsHelper;
}
