import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apiKey, startPlayground, unknownId, type Playground } from './playground.mts';

const operations: Array<[method: string, path: string, scope: string | null]> = [
	['GET', '/me', null],
	['GET', '/forms', 'forms:read'],
	['GET', `/forms/${unknownId}/responses`, 'responses:read'],
	['GET', `/responses/${unknownId}`, 'responses:read'],
	['POST', '/hooks', 'hooks:write'],
	['DELETE', `/hooks/${unknownId}`, 'hooks:write'],
];
const scopes = ['forms:read', 'responses:read', 'hooks:write'];

describe('Authentication', () => {
	let playground: Playground;
	before(async () => {
		playground = await startPlayground();
	});
	after(() => playground.close());

	const bodyFor = (method: string) =>
		method === 'POST' ? { formId: unknownId, targetUrl: 'https://example.com/' } : undefined;

	for (const [method, path, scope] of operations) {
		test(`${method} ${path}: a missing token gives 401`, async () => {
			const { status, body } = await playground.api(method, path, { body: bodyFor(method) });
			assert.deepEqual([status, body.code], [401, 'unauthorized']);
		});

		test(`${method} ${path}: an invalid token gives 401`, async () => {
			const call = { token: 'nobody-knows-me', body: bodyFor(method) };
			const { status, body } = await playground.api(method, path, call);
			assert.deepEqual([status, body.code], [401, 'unauthorized']);
		});

		test(`${method} ${path}: needs ${scope ?? 'any valid token'}`, async () => {
			for (const granted of scopes) {
				const call = { token: await playground.token(granted), body: bodyFor(method) };
				const { status, body } = await playground.api(method, path, call);
				if (scope === null || scope === granted) assert.notEqual(status, 403, granted);
				else assert.deepEqual([status, body.code], [403, 'insufficient_scope'], granted);
			}
		});
	}

	test('the 403 names the missing scope', async () => {
		const call = { token: await playground.token('responses:read') };
		const { body } = await playground.api('GET', '/forms', call);
		assert.match(body.message, /forms:read/);
	});

	test('the scope is asked for before the request is validated', async () => {
		const call = { token: await playground.token('responses:read') };
		assert.equal((await playground.api('GET', '/forms?limit=0', call)).status, 403);
	});

	for (const header of ['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', apiKey, `Bearer ${apiKey} x`]) {
		test(`the header "${header}" holds no bearer token: 401`, async () => {
			const { status } = await playground.api('GET', '/me', { headers: { Authorization: header } });
			assert.equal(status, 401);
		});
	}

	test('a Workspace API key grants responses:read only', async () => {
		const { id } = await playground.form();
		const token = apiKey;
		assert.equal((await playground.api('GET', '/me', { token })).body.scope, 'responses:read');
		assert.equal((await playground.api('GET', `/forms/${id}/responses`, { token })).status, 200);
	});

	test('a Workspace API key cannot call /forms or /hooks (403)', async () => {
		const { id } = await playground.form();
		const token = apiKey;
		assert.equal((await playground.api('GET', '/forms', { token })).status, 403);
		assert.equal((await playground.subscribe(token, id, 'https://example.com/')).status, 403);
		assert.equal((await playground.api('DELETE', `/hooks/${unknownId}`, { token })).status, 403);
		assert.deepEqual(await playground.hooks(), []);
	});

	test('only OAuth 2.0 tokens may subscribe', async () => {
		const { id } = await playground.form();
		const token = await playground.token('hooks:write');
		assert.equal((await playground.subscribe(token, id, 'https://example.com/')).status, 201);
	});

	test('an expired access token gives 401', async () => {
		const { accessToken } = await playground.control('POST', '/tokens', { expiresInSeconds: -1 });
		const { status, body } = await playground.api('GET', '/me', { token: accessToken });
		assert.deepEqual([status, body.code], [401, 'unauthorized']);
		assert.match(body.message, /expired/);
	});

	test('an unknown path under /api/v1 is 404 with a token, 401 without', async () => {
		const found = await playground.api('GET', '/nothing', { token: apiKey });
		assert.deepEqual([found.status, found.body.code], [404, 'not_found']);
		assert.equal((await playground.api('GET', '/nothing')).status, 401);
	});
});
