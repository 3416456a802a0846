import type { INodePropertyModeValidation, INodePropertyRegexValidation } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { authenticationField, formIdField } from '../../../nodes/FormResponses/fields';
import { FormResponses } from '../../../nodes/FormResponses/FormResponses.node';
import { FormResponsesTrigger } from '../../../nodes/FormResponses/FormResponsesTrigger.node';
import { FORM_ID } from '../../samples';

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
const modeNamed = (name: string) => formIdField.modes!.find((mode) => mode.name === name)!;

const NOT_AN_ID = 'A form ID is a UUID such as 3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3';

test.each([
	['id', FORM_ID, undefined],
	['id', ` ${FORM_ID} `, undefined],
	['id', FORM_ID.toUpperCase(), undefined],
	['id', 'contact', NOT_AN_ID],
	['id', '../me', NOT_AN_ID],
	['id', `${FORM_ID}/x`, NOT_AN_ID],
	['id', '', NOT_AN_ID],
	['url', twoForms, undefined],
	['url', 'https://forms.example.com/contact', 'The URL does not contain a form ID (a UUID)'],
])('the form by %s: to %j the editor says %j', (mode, entered, complaint) => {
	const [rule] = modeNamed(mode).validation as INodePropertyModeValidation[];
	const { regex, errorMessage } = rule.properties as INodePropertyRegexValidation['properties'];
	const isTaken = new RegExp(`^${regex}$`).test(entered);
	expect(isTaken ? undefined : errorMessage).toBe(complaint);
});

test('the form by url is the first UUID in it', () => {
	const { regex } = modeNamed('url').extractValue as { regex: string };
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
