import { FormResponsesOAuth2Api } from '../../credentials/FormResponsesOAuth2Api.credentials';
import { ACCESS_TOKEN, credentialValues } from '../in-process/credentials';
import { testCredential } from '../in-process/credentialTest';
import { anIdentity } from '../samples';
import { BASE_URL, fakeService, ok, refused } from '../service';

const type = new FormResponsesOAuth2Api();
const values = credentialValues().formResponsesOAuth2Api;
const visible = type.properties.filter(({ type: kind }) => kind !== 'hidden');

test('the contract of its names', () => {
	expect([type.name, type.displayName, type.extends]).toEqual([
		'formResponsesOAuth2Api',
		'Form Responses OAuth2 API',
		['oAuth2Api'],
	]);
});

test('all that the API leaves open can be edited', () => {
	expect(visible.map(({ name }) => name)).toEqual([
		'baseUrl',
		'grantType',
		'authUrl',
		'accessTokenUrl',
		'clientId',
		'clientSecret',
		'scope',
		'authQueryParameters',
		'authentication',
	]);
});

test('defaults', () => {
	const defaults = visible.map((property) => [property.name, property.default]);
	expect(Object.fromEntries(defaults)).toEqual({
		baseUrl: '',
		grantType: 'authorizationCode',
		authUrl: '',
		accessTokenUrl: '',
		clientId: '',
		clientSecret: '',
		scope: 'forms:read responses:read hooks:write',
		authQueryParameters: '',
		authentication: 'header',
	});
});

test('three grants', () => {
	const grantType = type.properties.find(({ name }) => name === 'grantType')!;
	const grants = grantType.options!.map((option) => 'value' in option && option.value);
	expect(grants).toEqual(['authorizationCode', 'clientCredentials', 'pkce']);
});

test('the secret is hidden', () => {
	const secret = type.properties.find(({ name }) => name === 'clientSecret')!;
	expect(secret.typeOptions).toEqual({ password: true });
});

describe('its test', () => {
	test.each([BASE_URL, ` ${BASE_URL}// `])('asks who it is at %j', async (baseUrl) => {
		const service = fakeService();
		service.on('GET', '/me', ok(anIdentity()));
		const verdict = await testCredential(type, { ...values, baseUrl });
		expect(verdict).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(service.sent).toEqual([
			expect.objectContaining({ path: '/me', authorization: `Bearer ${ACCESS_TOKEN}` }),
		]);
	});

	test.each(['', 'forms.example.com/api/v1', 'https://forms.example.com', `${BASE_URL}?a=b`])(
		'a base URL %j is told, and nothing is sent',
		async (baseUrl) => {
			const service = fakeService();
			service.always('GET', /./, ok(anIdentity()));
			const verdict = await testCredential(type, { ...values, baseUrl });
			expect(verdict.status).toBe('Error');
			expect(verdict.message).toMatch(/^The Base URL of the credential must be an http or https/);
			expect(service.sent).toEqual([]);
		},
	);

	test.each(['mac', 'DPoP', ''])(
		'a token of the type %j is sent in the header',
		async (tokenType) => {
			const service = fakeService();
			service.on('GET', '/me', ok(anIdentity()));
			const oauthTokenData = { access_token: ACCESS_TOKEN, token_type: tokenType };
			await testCredential(type, { ...values, oauthTokenData });
			expect(service.sent).toEqual([
				expect.objectContaining({ query: {}, authorization: `Bearer ${ACCESS_TOKEN}` }),
			]);
		},
	);

	test('does not follow a redirect, which would carry the token away', async () => {
		const elsewhere = fakeService('https://elsewhere.example.org/api/v1');
		elsewhere.always('GET', '/me', ok(anIdentity()));
		const location = 'https://elsewhere.example.org/api/v1/me';
		fakeService().on('GET', '/me', refused(302, undefined, { Location: location }));
		await testCredential(type, values);
		expect(elsewhere.sent).toEqual([]);
	});
});
