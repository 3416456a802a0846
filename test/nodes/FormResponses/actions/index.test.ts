import { findOperation } from '../../../../nodes/FormResponses/actions';

test.each([
	['constructor', 'create'],
	['account', 'constructor'],
	['account', 'toString'],
	['hook', 'getAll'],
	['', ''],
])('finds nothing for what is not offered: %s:%s', (resource, operation) => {
	expect(findOperation(resource, operation)).toBeUndefined();
});
