import assert from 'node:assert/strict';
import type { FormService } from './service.mts';

/** Whatever is as long as an access token; n8n's encrypted texts can be, too. */
const CANDIDATES = /(?<![\w-])[\w-]{43}(?![\w-])/g;

/** Nobody can read there what opens the service: the API key, the client's secret, or a token that it takes. */
export async function hasNoSecret(what: unknown, { baseUrl }: FormService) {
	const text = JSON.stringify(what);
	assert.doesNotMatch(text, /live_\w+_key|playground-secret/);
	for (const [candidate] of text.matchAll(CANDIDATES)) {
		const headers = { authorization: `Bearer ${candidate}` };
		const { status } = await fetch(`${baseUrl}/me`, { headers });
		assert.notEqual(status, 200, 'an access token can be read');
	}
}
