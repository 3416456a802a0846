import type { CredentialDraft } from '../n8n/credentials.mts';

/** The service's demo client and key; they open nothing but the playground. */
export function credentialDrafts(serviceUrl: string): CredentialDraft[] {
	const baseUrl = `${serviceUrl}/api/v1`;
	return [
		{
			name: 'Playground (OAuth2)',
			type: 'formResponsesOAuth2Api',
			data: {
				baseUrl,
				grantType: 'authorizationCode',
				authUrl: `${serviceUrl}/oauth/authorize`,
				accessTokenUrl: `${serviceUrl}/oauth/token`,
				clientId: 'playground',
				clientSecret: 'playground-secret',
				scope: 'forms:read responses:read hooks:write',
				authQueryParameters: '',
				authentication: 'header',
			},
		},
		{
			name: 'Playground (API key)',
			type: 'formResponsesApi',
			data: { baseUrl, apiKey: 'live_playground_key' },
		},
	];
}
