import { findOperation } from '../../../../../nodes/FormResponses/actions';

const offered = {
	account: ['get'],
	form: ['get', 'getAll'],
	hook: ['create', 'delete'],
	response: ['get', 'getAll', 'getNew'],
};

test.each(Object.entries(offered))('finds the operations of %s', (resource, operations) => {
	for (const operation of operations) {
		expect(findOperation(resource, operation)?.execute).toEqual(expect.any(Function));
	}
});

test.each([
	['constructor', 'create'],
	['account', 'constructor'],
	['account', 'toString'],
	['hook', 'getAll'],
	['', ''],
])('finds nothing for what the node does not offer: %s:%s', (resource, operation) => {
	expect(findOperation(resource, operation)).toBeUndefined();
});
