import { FormResponses } from '../../../../nodes/FormResponses/FormResponses.node';
import { optionsOf, shownDefaults, shownParameters } from '../../kit/shownParameters';

/** Names, defaults and choices on which saved workflows depend. */
const type = new FormResponses();

const shown = (name: string, values: Parameters<typeof shownParameters>[1]) =>
	shownParameters(type, values).find((property) => property.name === name)!;

test('the node', () => {
	expect(type.description).toMatchObject({
		name: 'formResponses',
		displayName: 'Form Responses',
		version: 1,
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
	});
});

test('resources', () => {
	const resource = shown('resource', {});
	expect(resource.default).toBe('response');
	expect(optionsOf(resource)).toEqual(['account', 'form', 'hook', 'response']);
});

test.each([
	['account', ['get'], 'get'],
	['form', ['get', 'getAll'], 'getAll'],
	['hook', ['create', 'delete'], 'create'],
	['response', ['get', 'getAll', 'getNew'], 'getAll'],
])('operations of %s', (resource, operations, byDefault) => {
	const operation = shown('operation', { resource });
	expect(optionsOf(operation)).toEqual(operations);
	expect(operation.default).toBe(byDefault);
});

const FORM = { formId: { mode: 'list', value: '' } };
const LIST = { ...FORM, responseLimit: 10, simplify: true, filters: {} };

test.each<[string, string, Record<string, unknown>, object?]>([
	['account', 'get', {}],
	['form', 'get', FORM],
	['form', 'getAll', { returnAll: false, limit: 50, filters: {} }],
	['form', 'getAll', { returnAll: false, filters: {} }, { returnAll: true }],
	['hook', 'create', { ...FORM, targetUrl: '', hookIdNotice: '' }],
	['hook', 'delete', { hookId: '' }],
	['response', 'get', { responseId: '', simplify: true }],
	['response', 'getAll', LIST],
	['response', 'getNew', { ...FORM, simplify: true, getNewNotice: '' }],
])('parameters of %s: %s, each once', (resource, operation, expected, values = {}) => {
	const ofAll = ['authentication', 'resource', 'operation', 'options'];
	const defaults = shownDefaults(type, { resource, operation, ...values });
	const own = defaults.filter(([name]) => !ofAll.includes(name as string));
	expect(own).toEqual(Object.entries(expected));
});

test.each([
	['form', ['status', 'titleContains', 'updatedAfter']],
	['response', ['completedAfter', 'completedBefore', 'respondentEmail']],
])('filters of %s', (resource, names) => {
	expect(optionsOf(shown('filters', { resource, operation: 'getAll' }))).toEqual(names);
});

// With a maxValue, n8n's editor turns 40 into 4 while it is typed.
test('25 is all the API gives, and the editor says so', () => {
	const limit = shown('responseLimit', { resource: 'response', operation: 'getAll' });
	expect(limit.typeOptions).toEqual({ minValue: 1 });
	expect(limit.description).toMatch(/at most 25 responses per form/);
});

const ofAnswers = ['answerValues', 'flattenAnswers', 'include'];

test.each([
	['account', true, ['maxConcurrency']],
	['form', true, ['maxConcurrency']],
	['hook', true, ['maxConcurrency']],
	['response', true, [...ofAnswers, 'maxConcurrency', 'answerKeys']],
	['response', false, ['maxConcurrency']],
])('options of %s, simplified: %p, in the order of their titles', (resource, simplify, names) => {
	const options = shownParameters(type, { resource, simplify }, 'options');
	expect(options.map(({ name }) => name)).toEqual(names);
	const titles = options.map(({ displayName }) => displayName);
	expect(titles).toEqual([...titles].sort());
	const { default: value, typeOptions } = options.find(({ name }) => name === 'maxConcurrency')!;
	expect([value, typeOptions]).toEqual([50, { minValue: 1 }]);
});

test('every operation has a sentence for the list of actions and for an agent', () => {
	const operations = type.description.properties.filter(({ name }) => name === 'operation');
	const texts = operations.flatMap(({ options }) =>
		(options ?? []).map((option) => ('action' in option ? option.action : undefined)),
	);
	expect([texts.length, new Set(texts).size]).toEqual([8, 8]);
	expect(texts).not.toContain(undefined);
});
