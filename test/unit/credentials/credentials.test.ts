import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { FormResponsesApi } from '../../../credentials/FormResponsesApi.credentials';
import { FormResponsesOAuth2Api } from '../../../credentials/FormResponsesOAuth2Api.credentials';
import { ACCESS_TOKEN, API_KEY, credentialValues } from '../kit/credentials';
import { testCredential } from '../kit/credentialTest';
import { anError, anIdentity } from '../kit/samples';
import type { Reply } from '../kit/formService';
import { BASE_URL, fakeService, fault, ok, reply } from '../kit/formService';

const apiKey = new FormResponsesApi();
const oAuth2 = new FormResponsesOAuth2Api();

const visible = oAuth2.properties.filter(({ type }) => type !== 'hidden');

test('names on which saved credentials depend', () => {
	expect([apiKey.name, apiKey.displayName]).toEqual(['formResponsesApi', 'Form Responses API']);
	const fields = apiKey.properties.filter(({ type }) => type === 'string');
	expect(fields.map(({ name }) => name)).toEqual(['baseUrl', 'apiKey']);

	const names = ['formResponsesOAuth2Api', 'Form Responses OAuth2 API', ['oAuth2Api']];
	expect([oAuth2.name, oAuth2.displayName, oAuth2.extends]).toEqual(names);
});

test('of OAuth2, all that the API leaves open can be edited', () => {
	const defaults = {
		baseUrl: '',
		grantType: 'authorizationCode',
		authUrl: '',
		accessTokenUrl: '',
		clientId: '',
		clientSecret: '',
		scope: 'forms:read responses:read hooks:write',
		authQueryParameters: '',
		authentication: 'header',
	};
	expect(visible.map((property) => [property.name, property.default])).toEqual(
		Object.entries(defaults),
	);
});

test('three grants', () => {
	const { options } = visible.find(({ name }) => name === 'grantType')!;
	const grants = options!.map((option) => 'value' in option && option.value);
	expect(grants).toEqual(['authorizationCode', 'clientCredentials', 'pkce']);
});

const hidden = { typeOptions: { password: true }, default: '' };
const address = { default: '', placeholder: 'e.g. https://forms.example.com/api/v1' };

test.each([
	[apiKey, 'baseUrl', { required: true, ...address }],
	[apiKey, 'apiKey', { required: true, ...hidden }],
	[oAuth2, 'clientSecret', hidden],
])('$displayName: %s', ({ properties }, field, expected) => {
	expect(properties.find(({ name }) => name === field)).toMatchObject(expected);
});

test('what an API key cannot do is said beside it', () => {
	const texts = apiKey.properties.map(({ displayName }) => displayName).join(' ');
	expect(texts).toMatch(/can only read responses \(scope responses:read\)/);
});

describe.each([
	[apiKey, API_KEY],
	[oAuth2, ACCESS_TOKEN],
])('the test of $displayName', (type, token) => {
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

	test.each<[string, Reply]>([
		['a web page', ok('<!doctype html><title>Hello</title>', { 'Content-Type': 'text/html' })],
		['plain text', ok('OK', { 'Content-Type': 'text/plain' })],
		['nothing', ok('')],
		['JSON of another kind', ok({ status: 'up' })],
		['a list', ok([{ id: 1 }])],
	])('takes %s that is answered with 200 for no form service', async (_, reply) => {
		fakeService().on('GET', '/me', reply);
		const { status, message } = await verdictFor();
		expect(status).toBe('Error');
		expect(message).toMatch(
			/^What answers at this address is not the form service\. Check the Base URL/,
		);
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

test.each([
	['empty', ' ', /API Key of the credential is empty/],
	['of two lines', 'live_a\nb', /line break/],
])('an API key that is %s is told, and nothing is sent', async (_, key, message) => {
	const service = fakeService();
	const verdict = await testCredential(apiKey, { baseUrl: BASE_URL, apiKey: key });
	expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) as string });
	expect(service.sent).toEqual([]);
});

test.each([
	['401', reply(401, anError('unauthorized', 'No')), /does not accept the API key/],
	['404', reply(404, 'Not found'), /no form service at this address.*\/api\/v1/],
	['ECONNREFUSED', fault('ECONNREFUSED'), /ECONNREFUSED/],
])('%s is told', async (_, reply, told) => {
	fakeService().on('GET', '/me', reply, reply);
	const { status, message } = await testCredential(apiKey, credentialValues().formResponsesApi);
	expect(status).toBe('Error');
	expect(message).toMatch(told);
	expect(message).not.toContain(API_KEY);
});

test.each(['mac', 'DPoP', ''])(
	'a token of the type %j is sent in the header',
	async (token_type) => {
		const service = fakeService();
		service.on('GET', '/me', ok(anIdentity()));
		const oauthTokenData = { access_token: ACCESS_TOKEN, token_type };
		await testCredential(oAuth2, credentialValues({}, { oauthTokenData }).formResponsesOAuth2Api);
		const sent = { query: {}, authorization: `Bearer ${ACCESS_TOKEN}` };
		expect(service.sent).toEqual([expect.objectContaining(sent)]);
	},
);
