import type { Session } from './session.mts';
import type { Credential, JsonObject } from './types.mts';

// CREDENTIAL_BLANKING_VALUE of n8n-workflow, which n8n replaces with the stored value.
const blanked = '__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609-6eaf1f9e87f6';

export type CredentialDraft = Omit<Credential, 'id'> & { data: JsonObject };

/** Submits the form service's consent page; returns n8n's error message, or an empty string. */
async function allow(session: Session, authorizationUrl: string): Promise<string> {
	const { origin, pathname, searchParams } = new URL(authorizationUrl);
	searchParams.set('allowed', 'true');
	const allowed = await fetch(origin + pathname, {
		method: 'POST',
		body: searchParams,
		redirect: 'manual',
	});
	const callback = allowed.headers.get('location');
	if (!callback) return `${origin}${pathname} answered ${allowed.status}`;
	const page = await (await session.open(callback)).text();
	return /Error: ([^<]*)/.exec(page)?.[1]?.trim() ?? '';
}

export function credentialCalls(session: Session) {
	/** n8n blanks secrets in `data`; `oauthTokenData: true` means that OAuth2 is connected. */
	async function credential(id: string): Promise<Credential & { data: JsonObject }> {
		return await session.get(`/credentials/${id}?includeData=true`);
	}

	return {
		credentials: async () => await session.get<Credential[]>('/credentials'),
		createCredential: async (draft: CredentialDraft) =>
			await session.post<Credential>('/credentials', draft),
		deleteCredential: async (id: string) => await session.delete(`/credentials/${id}`),

		async updateCredential(id: string, patch: Partial<CredentialDraft>) {
			const { name, type, data } = await credential(id);
			const merged = { name, type, ...patch, data: { ...data, ...patch.data } };
			return await session.patch<Credential>(`/credentials/${id}`, merged);
		},

		/** Tests the stored credential as the editor does; n8n fills in blanked secrets. */
		async testCredential(id: string): Promise<{ status: 'OK' | 'Error'; message: string }> {
			const { name, type, data } = await credential(id);
			const token = data.oauthTokenData ? { oauthTokenData: blanked } : {};
			const credentials = { id, name, type, data: { ...data, ...token } };
			return await session.post('/credentials/test', { credentials });
		},

		/** @throws Error if the form service does not connect it */
		async authorizeOAuth2(id: string) {
			const problem = await allow(session, await session.get(`/oauth2-credential/auth?id=${id}`));
			const { name, data } = await credential(id);
			if (problem || !data.oauthTokenData) {
				throw new Error(`The credential "${name}" could not be connected: ${problem}`);
			}
		},
	};
}
