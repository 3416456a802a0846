import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { FormResponsesApi } from '../../../credentials/FormResponsesApi.credentials';
import { FormResponsesOAuth2Api } from '../../../credentials/FormResponsesOAuth2Api.credentials';
import { ACCESS_TOKEN, API_KEY, credentialValues } from '../kit/credentials';
import { testCredential } from '../kit/credentialTest';
import { anError, anIdentity } from '../kit/samples';
import { BASE_URL, fakeService, fault, ok, reply, type Reply } from '../kit/formService';

describe.each([
	[new FormResponsesApi(), API_KEY, /does not accept the API key\. Copy the key/],
	[new FormResponsesOAuth2Api(), ACCESS_TOKEN, /does not accept the access token\. Reconnect/],
])('the test of $displayName', (type, token, notAccepted) => {
	/** Tests the credential, with one value changed if given. */
	const verdictFor = async (other: ICredentialDataDecryptedObject = {}) =>
		await testCredential(type, { ...credentialValues()[type.name], ...other });

	test.each([BASE_URL, `${BASE_URL}/`, ` ${BASE_URL}// `])(
		'asks who it is at %j',
		async (baseUrl) => {
			const service = fakeService();
			service.on('GET', '/me', ok(anIdentity({ user: null })));
			expect(await verdictFor({ baseUrl })).toEqual({
				status: 'OK',
				message: 'Connection successful!',
			});
			const sent = { method: 'GET', path: '/me', query: {}, authorization: `Bearer ${token}` };
			expect(service.sent).toEqual([expect.objectContaining(sent)]);
		},
	);

	test.each(['', 'forms.example.com/api/v1', 'https://forms.example.com', `${BASE_URL}?a=b`])(
		'a base URL %j is told, and nothing is sent',
		async (baseUrl) => {
			const service = fakeService();
			const message: unknown = expect.stringMatching(
				/^The Base URL of the credential must be an http or https address that ends in \/api\/v1/,
			);
			expect(await verdictFor({ baseUrl })).toEqual({ status: 'Error', message });
			expect(service.sent).toEqual([]);
		},
	);

	const OTHER = /^What answers at this address is not the form service\. Check the Base URL/;

	test.each<[string, Reply, RegExp]>([
		['a web page', ok('<!doctype html>', { 'Content-Type': 'text/html' }), OTHER],
		['plain text', ok('OK', { 'Content-Type': 'text/plain' }), OTHER],
		['nothing', ok(''), OTHER],
		['JSON of another kind', ok({ status: 'up' }), OTHER],
		['a list', ok([{ id: 1 }]), OTHER],
		['a workspace without an ID', ok({ workspace: {} }), OTHER],
		['a refusal of the token', reply(401, anError('unauthorized', 'No')), notAccepted],
		['404', reply(404, 'Not found'), /no form service at this address.*\/api\/v1/],
		['no connection', fault('ECONNREFUSED'), /ECONNREFUSED/],
	])('says what is wrong: %s', async (_, given, told) => {
		fakeService().on('GET', '/me', given, given);
		fakeService('https://forms.example.com/oauth').always(
			'POST',
			'/token',
			ok({ access_token: 'new', token_type: 'Bearer' }),
		);
		const { status, message } = await verdictFor();
		expect(status).toBe('Error');
		expect(message).toMatch(told);
		expect(message).not.toContain(token);
	});

	test('takes JSON that does not say so of itself', async () => {
		fakeService().on('GET', '/me', ok(anIdentity(), { 'Content-Type': 'text/plain' }));
		expect((await verdictFor()).status).toBe('OK');
	});

	test('does not follow a redirect, which would carry the token away', async () => {
		const elsewhere = fakeService('https://elsewhere.example.org/api/v1');
		elsewhere.always('GET', '/me', ok(anIdentity()));
		const location = 'https://elsewhere.example.org/api/v1/me';
		fakeService().on('GET', '/me', reply(302, undefined, { Location: location }));
		await verdictFor();
		expect(elsewhere.sent).toEqual([]);
	});
});
