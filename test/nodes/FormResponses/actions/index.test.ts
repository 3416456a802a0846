import type { INodeProperties } from 'n8n-workflow';
import { actionFields, findOperation } from '../../../../nodes/FormResponses/actions';

/** The fields of a name that the editor shows for an operation, whatever else they depend on. */
const shownFor = (resource: string, operation: string, name: string): INodeProperties[] =>
	actionFields.filter(({ name: own, displayOptions }) => {
		const show = displayOptions?.show ?? {};
		return (
			own === name &&
			(show.resource ?? []).includes(resource) &&
			(show.operation ?? [operation]).includes(operation)
		);
	});

const operationsOf = (resource: string) => {
	const [{ options = [] }] = shownFor(resource, '', 'operation');
	return options.map((option) => ('value' in option ? String(option.value) : ''));
};

const resources = (actionFields[0].options ?? []).map((option) =>
	'value' in option ? String(option.value) : '',
);

test('the editor offers what saved workflows hold', () => {
	const offered = resources.map((resource) => [resource, operationsOf(resource)]);
	expect(Object.fromEntries(offered)).toEqual({
		account: ['get'],
		form: ['get', 'getAll'],
		hook: ['create', 'delete'],
		response: ['get', 'getAll', 'getNew'],
	});
});

test('all that it offers is there', () => {
	for (const resource of resources) {
		for (const operation of operationsOf(resource)) {
			expect([resource, operation, findOperation(resource, operation)?.execute]).toEqual([
				resource,
				operation,
				expect.any(Function),
			]);
		}
	}
});

test.each([
	['constructor', 'create'],
	['account', 'constructor'],
	['account', 'toString'],
	['hook', 'getAll'],
	['', ''],
])('finds nothing for what it does not offer: %s:%s', (resource, operation) => {
	expect(findOperation(resource, operation)).toBeUndefined();
});

test('a field is shown for its own operation only, and keeps its own conditions', () => {
	const [limit, ...others] = shownFor('form', 'getAll', 'limit');
	expect(others).toEqual([]);
	expect(limit.displayOptions).toEqual({
		show: { returnAll: [false], resource: ['form'], operation: ['getAll'] },
	});
	expect(shownFor('response', 'getAll', 'limit')).toEqual([]);
	expect(shownFor('hook', 'create', 'hookId')).toEqual([]);
	expect(shownFor('hook', 'delete', 'hookId')).toHaveLength(1);
});

test('a field that several operations use is shown for each by itself', () => {
	for (const operation of ['getAll', 'getNew']) {
		expect(shownFor('response', operation, 'formId')).toHaveLength(1);
	}
	expect(shownFor('response', 'get', 'formId')).toEqual([]);
});
