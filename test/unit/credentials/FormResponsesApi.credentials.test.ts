import { FormResponsesApi } from '../../../credentials/FormResponsesApi.credentials';
import { testCredential } from '../kit/credentialTest';
import { BASE_URL, fakeService } from '../kit/formService';

const type = new FormResponsesApi();

test('names on which saved credentials depend', () => {
	expect([type.name, type.displayName]).toEqual(['formResponsesApi', 'Form Responses API']);
});

test('asks for the address of the API and for a key, which it hides', () => {
	const fields = type.properties.filter((property) => property.type === 'string');
	const required = { required: true, default: '' };
	const placeholder = 'e.g. https://forms.example.com/api/v1';
	expect(fields).toMatchObject([
		{ name: 'baseUrl', placeholder, ...required },
		{ name: 'apiKey', typeOptions: { password: true }, ...required },
	]);
});

test('what an API key cannot do is said beside it', () => {
	const texts = type.properties.map(({ displayName }) => displayName).join(' ');
	expect(texts).toMatch(/can only read responses \(scope responses:read\)/);
});

test.each([
	['empty', ' ', /API Key of the credential is empty/],
	['of two lines', 'live_a\nb', /line break/],
])('an API key that is %s is told, and nothing is sent', async (_, apiKey, message) => {
	const service = fakeService();
	const verdict = await testCredential(type, { baseUrl: BASE_URL, apiKey });
	expect(verdict).toEqual({ status: 'Error', message: expect.stringMatching(message) as string });
	expect(service.sent).toEqual([]);
});
