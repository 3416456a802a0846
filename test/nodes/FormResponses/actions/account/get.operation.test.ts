import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import { ACCESS_TOKEN, API_KEY } from '../../../../in-process/credentials';
import { execute } from '../../../../in-process/execute';
import { anIdentity } from '../../../../samples';
import { fakeService, ok } from '../../../../service';

const type = new FormResponses();

const getAccount = { resource: 'account', operation: 'get' };

test('gives the workspace, the user and the scope', async () => {
	const service = fakeService();
	service.on('GET', '/me', ok(anIdentity()));

	const { items } = await execute({ type, parameters: getAccount });

	expect(items).toEqual([{ json: anIdentity(), pairedItem: { item: 0 } }]);
	expect(service.sent).toEqual([
		{
			method: 'GET',
			path: '/me',
			query: {},
			body: undefined,
			authorization: `Bearer ${ACCESS_TOKEN}`,
		},
	]);
});

test('the user of an API key is null', async () => {
	const service = fakeService();
	service.on('GET', '/me', ok(anIdentity({ user: null })));

	const { items } = await execute({
		type,
		parameters: { ...getAccount, authentication: 'apiKey' },
	});

	expect(items[0].json.user).toBeNull();
	expect(service.sent[0].authorization).toBe(`Bearer ${API_KEY}`);
});

test('asks once for each item', async () => {
	const service = fakeService();
	service.always('GET', '/me', ok(anIdentity()));

	const { items } = await execute({ type, parameters: getAccount, items: [{}, {}, {}] });

	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
	]);
	expect(service.calls()).toEqual(['GET /me', 'GET /me', 'GET /me']);
});
