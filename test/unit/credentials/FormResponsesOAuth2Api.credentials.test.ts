import { FormResponsesOAuth2Api } from '../../../credentials/FormResponsesOAuth2Api.credentials';
import { ACCESS_TOKEN, credentialValues } from '../kit/credentials';
import { testCredential } from '../kit/credentialTest';
import { anIdentity } from '../kit/samples';
import { fakeService, ok } from '../kit/formService';

const type = new FormResponsesOAuth2Api();
const visible = type.properties.filter((property) => property.type !== 'hidden');

test('names on which saved credentials depend', () => {
	const names = ['formResponsesOAuth2Api', 'Form Responses OAuth2 API', ['oAuth2Api']];
	expect([type.name, type.displayName, type.extends]).toEqual(names);
});

test('all that the API leaves open can be edited', () => {
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

test('the client secret is hidden', () => {
	const hidden = visible.filter(({ typeOptions }) => typeOptions?.password);
	expect(hidden.map(({ name }) => name)).toEqual(['clientSecret']);
});

test.each(['mac', 'DPoP', ''])(
	'a token of the type %j is sent in the header',
	async (tokenType) => {
		const service = fakeService();
		service.on('GET', '/me', ok(anIdentity()));
		const oauthTokenData = { access_token: ACCESS_TOKEN, token_type: tokenType };
		await testCredential(type, credentialValues({}, { oauthTokenData }).formResponsesOAuth2Api);
		const sent = { query: {}, authorization: `Bearer ${ACCESS_TOKEN}` };
		expect(service.sent).toEqual([expect.objectContaining(sent)]);
	},
);
