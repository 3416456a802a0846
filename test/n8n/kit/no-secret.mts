import assert from 'node:assert/strict';
import type { FormService } from '../../../playground/service/client.mts';

/** Nobody can read there what opens the service: the API key, the client's secret, or a token that it issued. */
export async function hasNoSecret(what: unknown, service: FormService) {
	const text = JSON.stringify(what);
	assert.doesNotMatch(text, /live_\w+_key|playground-secret/);
	assert.equal(await service.tokensIn(text), 0, 'a token can be read');
}
