import type { CredentialDraft, TestResult } from '../n8n/credentials.mts';
import type { N8nClient } from '../n8n/client.mts';
import type { Credential } from '../n8n/types.mts';
import { credentialDrafts } from './credential-drafts.mts';

async function ensureStored(n8n: N8nClient, draft: CredentialDraft): Promise<Credential> {
	const all = await n8n.credentials();
	const found = all.find(({ name, type }) => name === draft.name && type === draft.type);
	if (!found) return await n8n.createCredential(draft);
	const { data } = await n8n.credential(found.id);
	if (data.baseUrl !== draft.data.baseUrl) await n8n.updateCredential(found.id, draft);
	return found;
}

async function connectedAndTested(n8n: N8nClient, id: string): Promise<TestResult> {
	const { type, data } = await n8n.credential(id);
	const needsConsent = type === 'formResponsesOAuth2Api';
	const tested = !needsConsent || data.oauthTokenData ? await n8n.testCredential(id) : undefined;
	if (tested && (tested.status === 'OK' || !needsConsent)) return tested;
	await n8n.authorizeOAuth2(id);
	return await n8n.testCredential(id);
}

/** Both credentials, working; by type. What is stored and works already is left alone. */
export async function ensureCredentials(
	n8n: N8nClient,
	serviceUrl: string,
): Promise<Map<string, Credential>> {
	const ready = new Map<string, Credential>();
	for (const draft of credentialDrafts(serviceUrl)) {
		const { id } = await ensureStored(n8n, draft);
		const tested = await connectedAndTested(n8n, id);
		if (tested.status !== 'OK') {
			throw new Error(`The credential "${draft.name}" does not work: ${tested.message}`);
		}
		ready.set(draft.type, await n8n.credential(id));
	}
	return ready;
}
