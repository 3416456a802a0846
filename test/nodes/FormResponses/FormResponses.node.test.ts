import { FormResponses } from '../../../nodes/FormResponses/FormResponses.node';
import { optionsOf, shownCredentials, shownParameters } from '../../in-process/shown';

/** Names, defaults and choices on which saved workflows depend. */
const type = new FormResponses();

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

test.each([
	['oAuth2', 'formResponsesOAuth2Api'],
	['apiKey', 'formResponsesApi'],
])('authentication %s asks for the credential %s', (authentication, credential) => {
	expect(shownCredentials(type, { authentication })).toEqual([credential]);
	expect(type.description.credentials!.every(({ required }) => required)).toBe(true);
});

test('authentication is OAuth2 unless chosen otherwise', () => {
	const authentication = shownParameters(type, {}).get('authentication');
	expect(authentication?.default).toBe('oAuth2');
	expect(optionsOf(authentication).sort()).toEqual(['apiKey', 'oAuth2']);
});

test('resources', () => {
	const resource = shownParameters(type, {}).get('resource');
	expect(resource?.default).toBe('response');
	expect(optionsOf(resource)).toEqual(['account', 'form', 'hook', 'response']);
});

test.each([
	['account', ['get'], 'get'],
	['form', ['get', 'getAll'], 'getAll'],
	['hook', ['create', 'delete'], 'create'],
	['response', ['get', 'getAll', 'getNew'], 'getAll'],
])('operations of %s', (resource, operations, byDefault) => {
	const operation = shownParameters(type, { resource }).get('operation');
	expect(optionsOf(operation)).toEqual(operations);
	expect(operation?.default).toBe(byDefault);
});

describe('parameters', () => {
	const common = ['authentication', 'resource', 'operation', 'options'];

	test.each<[string, string, Record<string, unknown>]>([
		['account', 'get', {}],
		['form', 'get', { formId: { mode: 'list', value: '' } }],
		['form', 'getAll', { returnAll: false, limit: 50, filters: {} }],
		['hook', 'create', { formId: { mode: 'list', value: '' }, targetUrl: '' }],
		['hook', 'delete', { hookId: '' }],
		['response', 'get', { responseId: '', simplify: true }],
		[
			'response',
			'getAll',
			{ formId: { mode: 'list', value: '' }, responseLimit: 10, simplify: true, filters: {} },
		],
		['response', 'getNew', { formId: { mode: 'list', value: '' }, simplify: true }],
	])('of %s: %s', (resource, operation, expected) => {
		const shown = shownParameters(type, { resource, operation });
		const own = [...shown.values()].filter(
			(property) => !common.includes(property.name) && property.type !== 'notice',
		);
		expect(Object.fromEntries(own.map((property) => [property.name, property.default]))).toEqual(
			expected,
		);
	});

	test('the limit of forms goes where all are returned', () => {
		const values = { resource: 'form', operation: 'getAll', returnAll: true };
		expect(shownParameters(type, values).has('limit')).toBe(false);
	});

	test.each([
		['form', 'getAll', ['status', 'titleContains', 'updatedAfter']],
		['response', 'getAll', ['completedAfter', 'completedBefore', 'respondentEmail']],
	])('filters of %s: %s', (resource, operation, names) => {
		const filters = shownParameters(type, { resource, operation }).get('filters');
		expect(optionsOf(filters)).toEqual(names);
	});

	// With a maxValue, n8n's editor makes 4 of 40 while it is typed.
	test('25 is all the API gives, and the editor says so', () => {
		const shown = shownParameters(type, { resource: 'response', operation: 'getAll' });
		const limit = shown.get('responseLimit');
		expect(limit?.typeOptions).toEqual({ minValue: 1 });
		expect(limit?.description).toMatch(/no more than the newest 25/);
	});

	test('options about answers go where responses come as the API sent them', () => {
		const shown = shownParameters(type, { resource: 'response', simplify: false }, 'options');
		expect([...shown.keys()]).toEqual(['maxConcurrency']);
	});

	test.each(['account', 'form', 'hook', 'response'])('options of %s', (resource) => {
		const options = shownParameters(type, { resource }, 'options');
		const ofResponses = ['answerKeys', 'answerValues', 'flattenAnswers', 'include'];
		const answers = resource === 'response' ? ofResponses : [];
		expect([...options.keys()].sort()).toEqual([...answers, 'maxConcurrency']);
		const shown = [...options.values()].map(({ displayName }) => displayName);
		expect(shown).toEqual([...shown].sort());
		expect(options.get('maxConcurrency')).toMatchObject({
			default: 50,
			typeOptions: { minValue: 1 },
		});
	});
});

test('every operation has a sentence for the list of actions and for an agent', () => {
	const operations = type.description.properties.filter(({ name }) => name === 'operation');
	const texts = operations.flatMap(({ options }) =>
		(options ?? []).map((option) => ('action' in option ? option.action : undefined)),
	);
	expect(texts).toHaveLength(8);
	expect(new Set(texts).size).toBe(8);
	expect(texts).not.toContain(undefined);
});
