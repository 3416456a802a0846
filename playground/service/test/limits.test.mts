import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startPlayground, type Playground } from './playground.mts';
import { until } from './until.mts';

describe('Limits', () => {
	let playground: Playground;
	let token: string;
	before(async () => {
		playground = await startPlayground();
	});
	beforeEach(async () => {
		await playground.reset();
		token = await playground.token();
	});
	after(() => playground.close());

	const lists: Array<{ name: string; max: number; fallback: number; path: () => Promise<string> }> =
		[
			{
				name: 'Forms',
				max: 100,
				fallback: 50,
				async path() {
					await playground.forms({ title: 'Form', count: 120 });
					return '/forms';
				},
			},
			{
				name: 'Responses',
				max: 25,
				fallback: 10,
				async path() {
					const { id } = await playground.form();
					await playground.respond(id, { count: 30 });
					return `/forms/${id}/responses`;
				},
			},
		];

	for (const { name, max, fallback, path } of lists) {
		test(`limit on ${name}: default ${fallback}`, async () => {
			const { body } = await playground.api('GET', await path(), { token });
			assert.equal(body.data.length, fallback);
		});

		test(`limit on ${name}: 1-${max}`, async () => {
			const address = await path();
			for (const limit of [1, max]) {
				const { body } = await playground.api('GET', `${address}?limit=${limit}`, { token });
				assert.equal(body.data.length, limit);
			}
			for (const limit of [0, -1, max + 1, 1.5, 'abc', '', 'NaN', 'Infinity']) {
				const { status, body } = await playground.api('GET', `${address}?limit=${limit}`, {
					token,
				});
				assert.deepEqual([status, body.code], [400, 'invalid_request'], `limit=${limit}`);
				assert.match(body.message, /limit/);
			}
		});
	}

	test('rate limiting: burst requests pass at once, then perSecond', async () => {
		await playground.settings({ rateLimit: { perSecond: 1, burst: 5 } });
		const send = async () => (await playground.api('GET', '/me', { token })).status;
		const statuses = await Promise.all(Array.from({ length: 15 }, send));
		const passed = statuses.filter((status) => status === 200).length;
		assert.ok(passed === 5 || passed === 6, `${passed} passed`);
		assert.equal(statuses.filter((status) => status === 429).length, 15 - passed);
		await until(send, (status) => status === 200);
	});

	test('no rate limit is set by default', async () => {
		const send = () => playground.api('GET', '/me', { token });
		const answered = await Promise.all(Array.from({ length: 100 }, send));
		assert.ok(answered.every(({ status }) => status === 200));
	});

	test('exceeding the maximum number of subscriptions gives 400 on POST /hooks', async () => {
		await playground.settings({ maxHooks: 2 });
		const { id } = await playground.form();
		const subscribe = () => playground.subscribe(token, id, 'https://example.com/');
		const first = await subscribe();
		assert.equal((await subscribe()).status, 201);
		const refused = await subscribe();
		assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
		assert.match(refused.body.message, /too many subscriptions/i);
		assert.equal((await playground.hooks()).length, 2);

		await playground.api('DELETE', `/hooks/${first.body.id}`, { token });
		assert.equal((await subscribe()).status, 201);
	});
});

describe('Versioning', () => {
	test('the version is carried in the path prefix /api/v1', async () => {
		const playground = await startPlayground();
		const token = await playground.token();
		assert.equal((await playground.call('GET', '/api/v1/me', { token })).status, 200);
		assert.equal((await playground.call('GET', '/api/v2/me', { token })).status, 404);
		await playground.close();
	});
});
