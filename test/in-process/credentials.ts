import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeCredentialsDetails,
	INodeProperties,
} from 'n8n-workflow';
import { ICredentialsHelper, UnexpectedError } from 'n8n-workflow';
import { FormResponsesApi } from '../../credentials/FormResponsesApi.credentials';
import { FormResponsesOAuth2Api } from '../../credentials/FormResponsesOAuth2Api.credentials';
import { BASE_URL, ORIGIN } from '../service';

export type CredentialValues = Record<string, ICredentialDataDecryptedObject>;

export const API_KEY = 'live_key_that_nobody_may_see';
export const ACCESS_TOKEN = 'access_token_that_nobody_may_see';
const REFRESH_TOKEN = 'refresh_token_that_nobody_may_see';
const CLIENT_SECRET = 'client_secret_that_nobody_may_see';

/** What may never be shown anywhere. */
export const SECRETS = [API_KEY, ACCESS_TOKEN, REFRESH_TOKEN, CLIENT_SECRET];

const credentialTypes: ICredentialType[] = [new FormResponsesApi(), new FormResponsesOAuth2Api()];

export const credentialValues = (
	apiKey: ICredentialDataDecryptedObject = {},
	oAuth2: ICredentialDataDecryptedObject = {},
): CredentialValues => ({
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

function typeNamed(name: string): ICredentialType {
	const type = credentialTypes.find((candidate) => candidate.name === name);
	if (type === undefined) throw new UnexpectedError(`There is no credential type ${name}`);
	return type;
}

/** Does with credentials in memory what n8n does with those in its database. */
export class CredentialsInMemory extends ICredentialsHelper {
	constructor(readonly values: CredentialValues) {
		super();
	}

	getParentTypes(name: string): string[] {
		return typeNamed(name).extends ?? [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = typeNamed(typeName);
		if (typeof authenticate !== 'function') return requestOptions;
		return await authenticate(credentials, requestOptions);
	}

	/** n8n calls it only where the type has an expirable property, which none of ours has. */
	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = typeNamed(typeName);
		const data = await preAuthentication?.call(helpers, credentials);
		return data as ICredentialDataDecryptedObject | undefined;
	}

	async getCredentials(): Promise<never> {
		throw new UnexpectedError('Credentials in memory are not encrypted');
	}

	async getDecrypted(
		_additionalData: unknown,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		return structuredClone(this.values[type]);
	}

	async updateCredentials(
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.values[type] = data;
	}

	async updateCredentialsOauthTokenData(
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.values[type] = { ...this.values[type], oauthTokenData: data.oauthTokenData };
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return typeNamed(type).properties;
	}
}
