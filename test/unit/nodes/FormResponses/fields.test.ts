import { NodeHelpers } from 'n8n-workflow';
import { authenticationField, formIdField } from '../../../../nodes/FormResponses/fields';
import { FormResponses } from '../../../../nodes/FormResponses/FormResponses.node';
import { FormResponsesTrigger } from '../../../../nodes/FormResponses/FormResponsesTrigger.node';
import { FORM_ID } from '../../kit/samples';

test('the form picker has a searchable list, the ID and a URL', () => {
	expect(formIdField).toMatchObject({
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{ name: 'list', typeOptions: { searchListMethod: 'searchForms', searchable: true } },
			{ name: 'id' },
			{ name: 'url' },
		],
	});
});

const twoForms = `https://forms.example.com/${FORM_ID}/edit?next=${FORM_ID.replace(/1/g, '2')}`;
test('the form by url is the first UUID in it', () => {
	const { extractValue } = formIdField.modes!.find(({ name }) => name === 'url')!;
	const { regex } = extractValue as { regex: string };
	expect(new RegExp(regex).exec(twoForms)?.[1]).toBe(FORM_ID);
});

test('what an API key cannot do is said where it is chosen', () => {
	expect(authenticationField('Can read responses only')).toMatchObject({
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		noDataExpression: true,
		default: 'oAuth2',
		options: [
			{ name: 'API Key', value: 'apiKey', description: 'Can read responses only' },
			{ name: 'OAuth2', value: 'oAuth2', description: expect.stringContaining('scopes') as string },
		],
	});
});

test.each([
	['oAuth2', 'formResponsesOAuth2Api'],
	['apiKey', 'formResponsesApi'],
])('authentication %s asks for the credential %s', (authentication, credential) => {
	for (const { description } of [new FormResponses(), new FormResponsesTrigger()]) {
		const asked = description.credentials!.filter((one) =>
			NodeHelpers.displayParameter({ authentication }, one, { typeVersion: 1 }, description),
		);
		expect(asked).toEqual([expect.objectContaining({ name: credential, required: true })]);
	}
});
