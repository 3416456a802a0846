import { FormResponsesApi } from '../../../../credentials/FormResponsesApi.credentials';
import { FormResponsesOAuth2Api } from '../../../../credentials/FormResponsesOAuth2Api.credentials';
import { credentialValues } from '../../../in-process/credentials';
import { testCredential } from '../../../in-process/credentialTest';
import { anIdentity } from '../../../samples';
import type { Reply } from '../../../service';
import { fakeService, ok } from '../../../service';

describe.each([new FormResponsesApi(), new FormResponsesOAuth2Api()])('$displayName', (type) => {
	const values = credentialValues()[type.name];

	test.each<[string, Reply]>([
		['a web page', ok('<!doctype html><title>Hello</title>', { 'Content-Type': 'text/html' })],
		['plain text', ok('OK', { 'Content-Type': 'text/plain' })],
		['nothing', ok('')],
		['JSON of another kind', ok({ status: 'up' })],
		['a list', ok([{ id: 1 }])],
	])('%s that is answered with 200 is no form service', async (_, reply) => {
		fakeService().on('GET', '/me', reply);
		const { status, message } = await testCredential(type, values);
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^What answers at this address is not the form service\. Check the Base URL/,
		);
	});

	test('takes JSON that does not say so of itself', async () => {
		fakeService().on('GET', '/me', ok(anIdentity(), { 'Content-Type': 'text/plain' }));
		expect((await testCredential(type, values)).status).toBe('OK');
	});
});
