import type { INodeProperties, INodePropertyCollection, INodeType } from 'n8n-workflow';
import { FormResponsesTrigger } from '../../../../nodes/FormResponses/FormResponsesTrigger.node';
import { PARTS } from '../../../../nodes/FormResponses/output';
import { optionsOf, shownDefaults, shownParameters } from '../../kit/shownParameters';

/** Names, defaults and choices on which saved workflows depend. */
const type = new FormResponsesTrigger();

test('the node', () => {
	expect(type.description).toMatchObject({
		name: 'formResponsesTrigger',
		displayName: 'Form Responses Trigger',
		version: 1,
		group: ['trigger'],
		inputs: [],
		outputs: ['main'],
	});
	expect(type.description.usableAsTool).toBeUndefined();
});

test('the webhook is answered on receipt', () => {
	const webhook = { name: 'default', httpMethod: 'POST', path: 'webhook' };
	expect(type.description.webhooks).toEqual([
		expect.objectContaining({ ...webhook, responseMode: 'onReceived' }),
	]);
});

test.each<[string, Record<string, unknown>]>([
	['oAuth2', { testWith: 'new' }],
	['apiKey', { pollInterval: 5, pollingNotice: '' }],
])('parameters with %s', (authentication, own) => {
	const form = { authentication: 'oAuth2', formId: { mode: 'list', value: '' } };
	const expected = { ...form, event: 'response.completed', ...own, simplify: true, options: {} };
	expect(shownDefaults(type, { authentication })).toEqual(Object.entries(expected));
});

test('a poll interval is at least a minute', () => {
	const shown = shownParameters(type, { authentication: 'apiKey' });
	const { typeOptions } = shown.find(({ name }) => name === 'pollInterval')!;
	expect(typeOptions).toEqual({ minValue: 1 });
});

test('options', () => {
	const own = ['responseId', 'formId', 'formTitle', 'respondentEmail', 'completedAt'];
	expect(Object.fromEntries(shownDefaults(type, {}, 'options'))).toEqual({
		answerKeys: 'label',
		answerValues: 'value',
		existing: false,
		flattenAnswers: false,
		include: [...own, 'hiddenFields', 'warning'],
		onlyIf: {},
		onlyIfMatch: 'all',
		whileInactive: 'skip',
		skipDuplicates: true,
		verifyDeliveries: false,
	});
});

test.each([
	['answerKeys', ['columnName', 'fieldId', 'label'], 'options'],
	['answerValues', ['rawValue', 'value'], 'options'],
	['include', [...PARTS].sort(), 'options'],
	['onlyIfMatch', ['all', 'any'], 'options'],
	['whileInactive', ['process', 'skip'], 'options'],
	['testWith', ['latest', 'new'], ''],
])('choices of %s', (choice, values, collection) => {
	const shown = shownParameters(type, {}, collection);
	expect(optionsOf(shown.find(({ name }) => name === choice)!)).toEqual(values);
});

test('a condition of Only If takes no expression, and a value where its operation needs one', () => {
	const onlyIf = shownParameters(type, {}, 'options').find(({ name }) => name === 'onlyIf')!;
	const [{ values }] = onlyIf.options as INodePropertyCollection[];
	expect(values.map(({ noDataExpression }) => noDataExpression)).toEqual([true, true, true]);
	const condition = { description: { properties: values } } as INodeType;
	const operation = values.find(({ name }) => name === 'operation') as INodeProperties;
	const shown = operation.options!.map((option) => {
		const { name, value } = option as Record<'name' | 'value', string>;
		return [name, shownParameters(condition, { operation: value }).map((one) => one.name)];
	});
	const withoutValue = ['label', 'operation'];
	const withValue = [...withoutValue, 'value'];
	expect(Object.fromEntries(shown)).toEqual({
		Contains: withValue,
		Equals: withValue,
		Exists: withoutValue,
		'Greater Than': withValue,
		'Is Empty': withoutValue,
		'Less Than': withValue,
		'Not Contains': withValue,
		'Not Equals': withValue,
	});
});
