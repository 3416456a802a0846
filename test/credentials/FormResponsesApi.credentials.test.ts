import { FormResponsesApi } from '../../credentials/FormResponsesApi.credentials';
import { API_KEY, credentialValues } from '../in-process/credentials';
import { testCredential } from '../in-process/credentialTest';
import { anError, anIdentity } from '../samples';
import { BASE_URL, fakeService, fault, ok, refused } from '../service';

const type = new FormResponsesApi();
const values = credentialValues().formResponsesApi;

const fieldNamed = (name: string) => type.properties.find((property) => property.name === name)!;

test('the contract of its names', () => {
	expect([type.name, type.displayName]).toEqual(['formResponsesApi', 'Form Responses API']);
	const fields = type.properties.filter(({ type: kind }) => kind === 'string');
	expect(fields.map(({ name }) => name)).toEqual(['baseUrl', 'apiKey']);
});

test('the base URL is required and has no default, but an example', () => {
	expect(fieldNamed('baseUrl')).toMatchObject({
		required: true,
		default: '',
		placeholder: 'e.g. https://forms.example.com/api/v1',
	});
});

test('the key is required and hidden, and what it cannot do is said beside it', () => {
	expect(fieldNamed('apiKey')).toMatchObject({
		required: true,
		default: '',
		typeOptions: { password: true },
	});
	const texts = type.properties.map(({ displayName }) => displayName).join(' ');
	expect(texts).toMatch(/can only read responses \(scope responses:read\)/);
});

describe('its test', () => {
	test.each([BASE_URL, `${BASE_URL}/`, ` ${BASE_URL}// `])(
		'asks who it is at %j',
		async (baseUrl) => {
			const service = fakeService();
			service.on('GET', '/me', ok(anIdentity({ user: null })));
			const verdict = await testCredential(type, { ...values, baseUrl });
			expect(verdict).toEqual({ status: 'OK', message: 'Connection successful!' });
			expect(service.sent).toEqual([
				expect.objectContaining({
					method: 'GET',
					path: '/me',
					query: {},
					authorization: `Bearer ${API_KEY}`,
				}),
			]);
		},
	);

	test.each<[string, object, RegExp]>([
		['an empty base URL', { baseUrl: '' }, /Base URL .* must be an http or https address/],
		['no scheme', { baseUrl: 'forms.example.com/api/v1' }, /must be an http or https address/],
		['no /api/v1', { baseUrl: 'https://forms.example.com' }, /ends in \/api\/v1/],
		['a query', { baseUrl: `${BASE_URL}?a=b` }, /must be an http or https address/],
		['an empty key', { apiKey: ' ' }, /API Key of the credential is empty/],
		['a key of two lines', { apiKey: 'live_a\nb' }, /line break/],
	])('%s is told, and nothing is sent', async (_, wrong, message) => {
		const service = fakeService();
		service.always('GET', /./, ok(anIdentity()));
		const verdict = await testCredential(type, { ...values, ...wrong });
		expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) as string });
		expect(service.sent).toEqual([]);
	});

	test.each<[string, ReturnType<typeof refused>, RegExp]>([
		['401', refused(401, anError('unauthorized', 'No')), /does not accept the API key/],
		['404', refused(404, 'Not found'), /no form service at this address.*\/api\/v1/],
		['ECONNREFUSED', fault('ECONNREFUSED'), /ECONNREFUSED/],
	])('%s is told', async (_, reply, message) => {
		const service = fakeService();
		service.on('GET', '/me', reply, reply);
		const { status, message: shown } = await testCredential(type, values);
		expect(status).toBe('Error');
		expect(shown).toMatch(message);
		expect(shown).not.toContain(API_KEY);
	});

	test('does not follow a redirect, which would carry the key away', async () => {
		const elsewhere = fakeService('https://elsewhere.example.org/api/v1');
		elsewhere.always('GET', '/me', ok(anIdentity()));
		const location = 'https://elsewhere.example.org/api/v1/me';
		fakeService().on('GET', '/me', refused(302, undefined, { Location: location }));
		await testCredential(type, values);
		expect(elsewhere.sent).toEqual([]);
	});
});
