import type {
	INodeProperties,
	INodePropertyMode,
	INodePropertyModeValidation,
	INodePropertyRegexValidation,
} from 'n8n-workflow';
import {
	answerValuesOption,
	authenticationField,
	formIdField,
	includeOption,
	nameAnswersByOption,
	flattenAnswersOption,
	simplifyField,
} from '../../../nodes/FormResponses/fields';
import { optionsOf } from '../../in-process/shown';
import { FORM_ID } from '../../samples';

const modeNamed = (name: string) => formIdField.modes!.find((mode) => mode.name === name)!;

/** Whether the editor takes what is entered, and what it says otherwise. */
function complaintOf({ validation }: INodePropertyMode, entered: string): string | undefined {
	const rules = (validation ?? []) as INodePropertyModeValidation[];
	const broken = rules
		.map(({ properties }) => properties as INodePropertyRegexValidation['properties'])
		.find(({ regex }) => !new RegExp(`^${regex}$`).test(entered));
	return broken?.errorMessage;
}

describe('the form picker', () => {
	test('has a searchable list, the ID and a URL', () => {
		expect(formIdField.modes!.map(({ name }) => name)).toEqual(['list', 'id', 'url']);
		expect(formIdField).toMatchObject({
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
		});
		expect(modeNamed('list').typeOptions).toEqual({
			searchListMethod: 'searchForms',
			searchable: true,
		});
	});

	test.each([FORM_ID, ` ${FORM_ID} `, FORM_ID.toUpperCase()])('takes the ID %j', (entered) => {
		expect(complaintOf(modeNamed('id'), entered)).toBeUndefined();
	});

	test.each(['contact', '../me', `${FORM_ID}/x`, ''])('does not take the ID %j', (entered) => {
		expect(complaintOf(modeNamed('id'), entered)).toMatch(/^A form ID is a UUID such as/);
	});

	test('finds the first UUID in a URL', () => {
		const url = `https://forms.example.com/forms/${FORM_ID}/edit?next=${FORM_ID.replace(/1/g, '2')}`;
		expect(complaintOf(modeNamed('url'), url)).toBeUndefined();
		const { regex } = modeNamed('url').extractValue as { regex: string };
		expect(new RegExp(regex).exec(url)?.[1]).toBe(FORM_ID);
	});

	test('does not take a URL without a UUID', () => {
		expect(complaintOf(modeNamed('url'), 'https://forms.example.com/contact')).toMatch(
			/does not contain a form ID/,
		);
	});
});

test.each<[string, unknown, unknown[] | undefined]>([
	['answerKeys', 'label', ['fieldId', 'label']],
	['answerValues', 'value', ['rawValue', 'value']],
	['flattenAnswers', false, undefined],
	['include', [], ['answerTypes', 'createdAt', 'fields', 'metadata']],
])(
	'the option %s is %j unless chosen otherwise, and there for a simplified response only',
	(name, unlessChosen, choices) => {
		const option = [
			answerValuesOption,
			flattenAnswersOption,
			includeOption,
			nameAnswersByOption,
		].find((field) => field.name === name)!;
		expect(option.default).toEqual(unlessChosen);
		expect(option.options && optionsOf(option)).toEqual(choices);
		expect(option.displayOptions).toEqual({ show: { '/simplify': [true] } });
	},
);

test('responses are simplified unless chosen otherwise', () => {
	expect(simplifyField).toMatchObject({ name: 'simplify', type: 'boolean', default: true });
});

test('what an API key cannot do is said where it is chosen', () => {
	const field: INodeProperties = authenticationField('Can read responses only');
	expect(field).toMatchObject({
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
