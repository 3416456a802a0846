import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';
import { FormResponsesApi } from '../../../credentials/FormResponsesApi.credentials';
import { FormResponsesOAuth2Api } from '../../../credentials/FormResponsesOAuth2Api.credentials';
import { BASE_URL, ORIGIN } from './formService';

type Data = ICredentialDataDecryptedObject;

export type CredentialValues = Record<string, Data>;

export const API_KEY = 'live_key_that_nobody_may_see';
export const ACCESS_TOKEN = 'access_token_that_nobody_may_see';
const REFRESH_TOKEN = 'refresh_token_that_nobody_may_see';
const CLIENT_SECRET = 'client_secret_that_nobody_may_see';

/** What may never be shown anywhere. */
export const SECRETS = [API_KEY, ACCESS_TOKEN, REFRESH_TOKEN, CLIENT_SECRET];

const credentialTypes: ICredentialType[] = [new FormResponsesApi(), new FormResponsesOAuth2Api()];

export const credentialValues = (apiKey: Data = {}, oAuth2: Data = {}): CredentialValues => ({
	formResponsesApi: { baseUrl: BASE_URL, apiKey: API_KEY, ...apiKey },
	formResponsesOAuth2Api: {
		baseUrl: BASE_URL,
		grantType: 'authorizationCode',
		authUrl: `${ORIGIN}/oauth/authorize`,
		accessTokenUrl: `${ORIGIN}/oauth/token`,
		clientId: 'n8n',
		clientSecret: CLIENT_SECRET,
		scope: 'forms:read responses:read hooks:write',
		authentication: 'header',
		oauthTokenData: {
			access_token: ACCESS_TOKEN,
			refresh_token: REFRESH_TOKEN,
			token_type: 'Bearer',
		},
		...oAuth2,
	},
});

const typeNamed = (name: string) => credentialTypes.find((type) => type.name === name)!;

/** Does with credentials in memory what n8n does with those in its database. */
export function credentialsInMemory(values: CredentialValues): ICredentialsHelper {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: (name) => typeNamed(name).extends ?? [],
		isCredentialUsableByNode: () => true,
		async authenticate(data, typeName, options) {
			const { authenticate } = typeNamed(typeName);
			const request = options as IHttpRequestOptions;
			return typeof authenticate === 'function' ? await authenticate(data, request) : request;
		},
		// n8n calls it only where the type has an expirable property, which none of ours has.
		preAuthentication: async () => undefined,
		async runPreAuthentication(helpers, data, typeName) {
			return (await typeNamed(typeName).preAuthentication?.call(helpers, data)) as Data;
		},
		async getDecrypted(_, __, type, mode, executeData, ___, at) {
			const data = structuredClone(values[type]);
			if (at === undefined) return data;
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = at;
			return workflow.expression.getParameterValue(
				data as INodeParameters,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				{},
				executeData,
			) as Data;
		},
		async updateCredentials(_, type, data) {
			values[type] = data;
		},
		async updateCredentialsOauthTokenData(_, type, { oauthTokenData }) {
			values[type] = { ...values[type], oauthTokenData };
		},
		getCredentialsProperties: (type) => typeNamed(type).properties,
	};
	return helper as ICredentialsHelper;
}
