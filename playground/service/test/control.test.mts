import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { apiKey, startPlayground, unknownId, type Playground } from './playground.mts';
import { startReceiver } from './receiver.mts';
import { until } from './until.mts';

describe('Control', () => {
	let playground: Playground;
	before(async () => {
		playground = await startPlayground();
	});
	beforeEach(() => playground.reset());
	after(() => playground.close());

	test('reset empties everything and puts the settings back', async () => {
		const token = await playground.token();
		const { id } = await playground.form();
		await playground.subscribe(token, id, 'http://127.0.0.1:9/');
		await playground.fault({ kind: 'status', status: 500, times: null });
		const changed = await playground.settings({ maxHooks: 1, latencyMs: 5 });
		await playground.reset();

		assert.notDeepEqual(await playground.control('GET', '/settings'), changed);
		assert.equal((await playground.control('GET', '/settings')).maxHooks, 20);
		assert.deepEqual(await playground.hooks(), []);
		assert.deepEqual(await playground.requests(), []);
		assert.deepEqual(await playground.deliveries(), []);
		assert.equal((await playground.api('GET', '/me', { token })).status, 401);
		const { body } = await playground.api('GET', '/forms', { token: await playground.token() });
		assert.deepEqual(body.data, []);
	});

	test('reset can keep the tokens, and can seed', async () => {
		const token = await playground.token();
		await playground.control('POST', '/reset', { keepTokens: true, seed: true });
		const { body } = await playground.api('GET', '/forms', { token });
		assert.equal(body.data.length, 3);
		for (const { id } of body.data) {
			const { body: list } = await playground.api('GET', `/forms/${id}/responses`, { token });
			assert.ok(list.data.length > 1);
		}
	});

	test('count makes numbered forms, one second apart going back', async () => {
		const request = { title: 'Form', updatedAt: '2026-05-01T00:00:10Z', count: 3 };
		const forms = await playground.forms(request);
		assert.deepEqual(
			forms.map(({ title, updatedAt }) => [title, updatedAt]),
			[
				['Form 1', '2026-05-01T00:00:10.000Z'],
				['Form 2', '2026-05-01T00:00:09.000Z'],
				['Form 3', '2026-05-01T00:00:08.000Z'],
			],
		);
	});

	test('50,000 forms are made at once, and listed page by page', async () => {
		const forms = await playground.forms({ title: 'Form', count: 50_000 });
		assert.equal(forms.length, 50_000);
		const token = await playground.token();
		const first = await playground.api('GET', '/forms?limit=100', { token });
		const next = `/forms?limit=100&cursor=${first.body.nextCursor}`;
		const second = await playground.api('GET', next, { token });
		const listed = [...first.body.data, ...second.body.data].map(({ id }) => id);
		assert.equal(new Set(listed).size, 200);
	});

	test('a removed form takes its responses and hooks along', async () => {
		const token = await playground.token();
		const { id } = await playground.form();
		const [envelope] = await playground.respond(id);
		await playground.subscribe(token, id, 'http://127.0.0.1:9/');
		await playground.control('DELETE', `/forms/${id}`);
		assert.deepEqual(await playground.hooks(), []);
		const list = await playground.api('GET', `/forms/${id}/responses`, { token: apiKey });
		assert.equal(list.status, 404);
		const path = `/responses/${envelope?.data.responseId}`;
		assert.equal((await playground.api('GET', path, { token: apiKey })).status, 404);
	});

	test('responses without answers get sample answers to the fields of the form', async () => {
		const fields = [
			{ label: 'Email', type: 'email' },
			{ label: 'Size', type: 'choice', choices: ['S', 'M'] },
			{ label: 'Tags', type: 'multi-choice', choices: ['a', 'b', 'c'] },
			{ label: 'Age', type: 'number' },
			{ label: 'Note', type: 'text' },
		];
		const { id } = await playground.form({ title: 'Survey', fields });
		const [envelope] = await playground.respond(id);
		assert.deepEqual(
			envelope?.data.answers.map(({ label, type }) => ({ label, type })),
			fields.map(({ label, type }) => ({ label, type })),
		);
		assert.match(envelope?.data.respondentEmail ?? '', /@example\.com$/);
	});

	test('a response completed again is the same one, the newest now, and is delivered', async () => {
		const token = await playground.token();
		const receiver = await startReceiver();
		const { id } = await playground.form();
		const [first, second] = await playground.respond(id, { count: 2 });
		await playground.subscribe(token, id, receiver.url);
		const path = `/responses/${first!.data.responseId}/complete`;
		const { response } = await playground.control('POST', path);
		assert.ok(response.data.completedAt > second!.data.completedAt);
		const { completedAt } = response.data;
		assert.deepEqual(response, {
			...first,
			createdAt: completedAt,
			data: { ...first!.data, completedAt },
		});
		const { body } = await playground.api('GET', `/forms/${id}/responses`, { token: apiKey });
		assert.deepEqual(body.data, [response, second]);
		await until(
			() => playground.deliveries(),
			({ length }) => length === 1,
		);
		assert.deepEqual(JSON.parse(receiver.received[0]!.body), response);
		await playground.control('POST', path, { deliver: false });
		assert.equal((await playground.deliveries()).length, 1);
		receiver.close();
	});

	test('completedAt is strictly increasing in the whole service, hooks included', async () => {
		const token = await playground.token();
		const [first, second] = await playground.forms({ title: 'Form', count: 2 });
		const times: string[] = [];
		for (let n = 0; n < 5; n++) {
			for (const form of [first, second]) {
				for (const { data } of await playground.respond(form?.id ?? '', { count: 3 })) {
					times.push(data.completedAt);
				}
			}
			const { body } = await playground.subscribe(token, first?.id ?? '', 'http://127.0.0.1:9/');
			times.push(body.createdAt);
		}
		assert.deepEqual(times, times.toSorted());
		assert.equal(new Set(times).size, times.length);
	});

	test('the request log has method, path, query, status and kind of token, never the token', async () => {
		const token = await playground.token();
		await playground.api('GET', '/forms?limit=2', { token });
		await playground.api('GET', '/forms', { token: apiKey });
		await playground.api('GET', '/me', { token: 'no-such-token' });
		const requests = await playground.requests();
		assert.deepEqual(
			requests.map(({ id: _, at: __, ...rest }) => rest),
			[
				{
					method: 'GET',
					path: '/forms',
					query: { limit: '2' },
					status: 200,
					authenticatedAs: 'oauth',
				},
				{ method: 'GET', path: '/forms', query: {}, status: 403, authenticatedAs: 'apiKey' },
				{ method: 'GET', path: '/me', query: {}, status: 401, authenticatedAs: null },
			],
		);
		const text = JSON.stringify(requests);
		for (const secret of [token, apiKey, 'no-such-token']) assert.ok(!text.includes(secret));
		await playground.control('DELETE', '/requests');
		assert.deepEqual(await playground.requests(), []);
	});

	test('tokens are found in a text, whatever stands beside them', async () => {
		const { accessToken, refreshToken } = await playground.control('POST', '/tokens', {});
		const found = async (text: string) =>
			(await playground.control('POST', '/tokens/find', { text })).found;
		assert.equal(await found(`\\n${accessToken}, and "_${refreshToken}x"`), 2);
		await playground.control('POST', '/tokens/expire');
		assert.equal(await found(accessToken), 1);
		assert.equal(await found(`${accessToken.slice(1)} ${refreshToken.slice(0, -1)}`), 0);
	});

	test('latencyMs delays every answer of the API', async () => {
		await playground.settings({ latencyMs: 80 });
		const start = performance.now();
		await playground.api('GET', '/me', { token: apiKey });
		assert.ok(performance.now() - start >= 75);
	});

	test('a token without a user', async () => {
		const { accessToken } = await playground.control('POST', '/tokens', { user: false });
		const { body } = await playground.api('GET', '/me', { token: accessToken });
		assert.equal(body.user, null);
	});

	for (const [method, path, body] of [
		['PUT', '/settings', { rateLimits: null }],
		['PUT', '/settings', { rateLimit: { perSecond: 1 } }],
		['PUT', '/settings', { retryAfter: 'minutes' }],
		['POST', '/forms', {}],
		['POST', '/forms', { title: 'Form', count: 0 }],
		['POST', '/forms', { title: 'Form', updatedAt: 'yesterday' }],
		['POST', `/forms/${unknownId}/responses`, { answers: [{ label: 'x' }] }],
	] as const) {
		test(`${method} ${path} refuses ${JSON.stringify(body)}`, async () => {
			const answered = await playground.call(method, `/playground${path}`, { body });
			assert.equal(answered.status, 400);
			assert.equal(typeof answered.body.error, 'string');
		});
	}

	test('what does not exist is 404', async () => {
		for (const [method, path] of [
			['DELETE', `/forms/${unknownId}`],
			['DELETE', `/hooks/${unknownId}`],
			['POST', `/forms/${unknownId}/responses`],
			['POST', `/responses/${unknownId}/complete`],
			['POST', `/responses/${unknownId}/deliver`],
			['DELETE', `/faults/${unknownId}`],
			['GET', '/nothing'],
		] as const) {
			assert.equal((await playground.call(method, `/playground${path}`)).status, 404, path);
		}
	});
});
