import type { N8nClient } from '../../playground/n8n/client.mts';
import { credentialDrafts } from '../../playground/start/credential-drafts.mts';

type Reference = { id: string; name: string };

/** Both credentials of a form service, connected; by type, as a node has them. */
export async function connectTo(n8n: N8nClient, serviceUrl: string) {
	const connected: Record<string, Reference> = {};
	for (const draft of credentialDrafts(serviceUrl)) {
		const { id, name } = await n8n.createCredential(draft);
		if (draft.type === 'formResponsesOAuth2Api') await n8n.authorizeOAuth2(id);
		connected[draft.type] = { id, name };
	}
	return connected as Record<'formResponsesApi' | 'formResponsesOAuth2Api', Reference>;
}
