import type { N8nClient } from '../n8n/client.mts';
import type { CredentialDraft } from '../n8n/credentials.mts';
import type { Credential, JsonObject } from '../n8n/types.mts';

/** The service's demo client and key, which open only the playground. */
export function credentialDrafts(serviceUrl: string): CredentialDraft[] {
	const baseUrl = `${serviceUrl}/api/v1`;
	return [
		{
			name: 'Playground (API key)',
			type: 'formResponsesApi',
			data: { baseUrl, apiKey: 'live_playground_key' },
		},
		// The last one: n8n's editor puts the newest credential of a node into a new one.
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
	];
}

/** What the page of an example asks for. */
export const pageLogin = { user: 'playground', password: 'playground' };

/** For the nodes of n8n in the examples. */
export const othersDrafts = (smtp: JsonObject): CredentialDraft[] => [
	{ name: 'Playground mail', type: 'smtp', data: smtp },
	{ name: 'Playground password', type: 'httpBasicAuth', data: pageLogin },
];

/** Returns the credentials by type, tested as far as n8n can; reuses a connected one. */
export async function ensureCredentials(n8n: N8nClient, drafts: CredentialDraft[]) {
	const stored = await n8n.credentials();
	const ready = new Map<string, Credential>();
	for (const draft of drafts) {
		const found = stored.find(({ name, type }) => name === draft.name && type === draft.type);
		const credential = found
			? await n8n.updateCredential(found.id, draft)
			: await n8n.createCredential(draft);
		ready.set(draft.type, credential);
		if (draft.type === 'httpBasicAuth') continue;
		let { status, message } = await n8n.testCredential(credential.id);
		if (status !== 'OK' && draft.type === 'formResponsesOAuth2Api') {
			await n8n.authorizeOAuth2(credential.id);
			({ status, message } = await n8n.testCredential(credential.id));
		}
		if (status !== 'OK') throw new Error(`"${draft.name}" does not work: ${message}`);
	}
	return ready;
}
