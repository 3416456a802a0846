import type { INodePropertyCollection, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { FormResponsesTrigger } from '../../../../nodes/FormResponses/FormResponsesTrigger.node';
import { PARTS } from '../../../../nodes/FormResponses/output';
import { WITHOUT_VALUE } from '../../../../nodes/FormResponses/trigger/onlyIfCondition';
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

describe('a condition of Only If', () => {
	const onlyIf = shownParameters(type, {}, 'options').find(({ name }) => name === 'onlyIf')!;
	const [{ values }] = onlyIf.options as INodePropertyCollection[];
	const operation = values.find(({ name }) => name === 'operation')!;
	const operations = operation.options as INodePropertyOptions[];

	test('takes no expression, and a value where its operation needs one', () => {
		expect(values.map(({ noDataExpression }) => noDataExpression)).toEqual([true, true, true]);
		const condition = { description: { properties: values } } as INodeType;
		const shown = operations.map(({ name, value }) => {
			const fields = shownParameters(condition, { operation: value as string });
			return [name, fields.map((one) => one.name)];
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

	test('says how it compares, and what it does with an answer that is missing', () => {
		const described = operations.filter(({ value }) => !WITHOUT_VALUE.includes(String(value)));
		const texts = described.map(({ value, description }) => [value, description]);
		expect(Object.fromEntries(texts)).toEqual({
			contains: expect.stringContaining('contains the value') as string,
			equals: expect.stringContaining('is the value') as string,
			greater: expect.stringContaining('missing answer does not match') as string,
			less: expect.stringContaining('missing answer does not match') as string,
			notContains: expect.stringContaining('missing answer matches') as string,
			notEquals: expect.stringContaining('missing answer matches') as string,
		});
	});

	test.each([
		['label', 'searchQuestions', 'name'],
		['value', 'searchAnswers', 'value'],
	])('its %s is picked from a list that can be searched, or typed', (field, method, typed) => {
		const { modes } = values.find(({ name }) => name === field)!;
		const find = (mode: string) => modes!.find(({ name }) => name === mode);
		const typeOptions = { searchListMethod: method, searchable: true };
		expect(find('list')).toMatchObject({ displayName: 'From List', type: 'list', typeOptions });
		expect(type.methods.listSearch).toHaveProperty(method);
		const placeholder = expect.stringContaining('e.g. ') as string;
		expect(find(typed)).toMatchObject({ type: 'string', placeholder });
	});
});
