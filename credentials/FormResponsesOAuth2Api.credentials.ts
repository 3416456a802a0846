import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	INodeProperties,
} from 'n8n-workflow';
import { assertBaseUrl } from '../nodes/FormResponses/transport/baseUrl';
import { baseUrlField } from './baseUrlField';
import { credentialTest } from './credentialTest';
import { ownOriginOnly } from './ownOrigin';

export class FormResponsesOAuth2Api implements ICredentialType {
	name = 'formResponsesOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Form Responses OAuth2 API';

	icon: Icon = {
		light: 'file:../nodes/FormResponses/formResponses.svg',
		dark: 'file:../nodes/FormResponses/formResponses.dark.svg',
	};

	documentationUrl =
		'https://github.com/example-org/n8n-nodes-form-responses/blob/main/docs/credentials.md';

	// The API does not specify its OAuth2 endpoints (playground/service/openapi.yaml), so every setting is editable.
	properties: INodeProperties[] = [
		baseUrlField,
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'options',
			options: [
				{ name: 'Authorization Code', value: 'authorizationCode' },
				{ name: 'Client Credentials', value: 'clientCredentials' },
				{ name: 'PKCE', value: 'pkce' },
			],
			default: 'authorizationCode',
		},
		{
			displayName: 'Authorization URL',
			name: 'authUrl',
			type: 'string',
			displayOptions: { show: { grantType: ['authorizationCode', 'pkce'] } },
			required: true,
			default: '',
			placeholder: 'e.g. https://forms.example.com/oauth/authorize',
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://forms.example.com/oauth/token',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Leave empty for a public client with PKCE',
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: 'forms:read responses:read hooks:write',
			description: 'The scopes to ask for, separated by spaces',
		},
		{
			displayName: 'Auth URI Query Parameters',
			name: 'authQueryParameters',
			type: 'string',
			displayOptions: { show: { grantType: ['authorizationCode', 'pkce'] } },
			default: '',
			placeholder: 'e.g. access_type=offline',
			description: 'More query parameters for the authorization URL',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{ name: 'Body', value: 'body', description: 'Send the client credentials in the body' },
				{
					name: 'Header',
					value: 'header',
					description: 'Send the client credentials as a Basic Auth header',
				},
			],
			default: 'header',
		},
		...ownOriginOnly,
	];

	/**
	 * n8n 2.20 and later call this before each OAuth2 request. Other token types go into the URL
	 * (client-oauth2-token.ts).
	 */
	async preAuthentication({
		baseUrl,
		oauthTokenData,
	}: ICredentialDataDecryptedObject): Promise<IDataObject> {
		assertBaseUrl(baseUrl);
		if (typeof oauthTokenData !== 'object') return {};
		return { oauthTokenData: { ...oauthTokenData, token_type: 'bearer' } };
	}

	test: ICredentialTestRequest = credentialTest(
		'The form service does not accept the access token. Reconnect the credential.',
	);
}
