import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
	apiKey,
	startPlayground,
	unknownId,
	type Answered,
	type ErrorBody,
	type Playground,
} from './playground.mts';

describe('Errors', () => {
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

	const cases: Array<[status: number, code: string, call: () => Promise<Answered<ErrorBody>>]> = [
		[400, 'invalid_request', () => playground.api('GET', '/forms?limit=0', { token })],
		[400, 'invalid_request', () => playground.api('POST', '/hooks', { token, body: '{' })],
		[401, 'unauthorized', () => playground.api('GET', '/me')],
		[403, 'insufficient_scope', () => playground.api('GET', '/forms', { token: apiKey })],
		[404, 'not_found', () => playground.api('GET', `/responses/${unknownId}`, { token })],
		[405, 'method_not_allowed', () => playground.api('PUT', '/forms', { token })],
		[405, 'method_not_allowed', () => playground.api('GET', '/hooks', { token })],
		[
			429,
			'rate_limited',
			async () => {
				await playground.settings({ rateLimit: { perSecond: 0.001, burst: 1 } });
				await playground.api('GET', '/me', { token });
				return playground.api('GET', '/me', { token });
			},
		],
	];
	for (const [status, code, call] of cases) {
		test(`${status} ${code}: error, code, message, hint and docs are strings`, async () => {
			const answered = await call();
			assert.equal(answered.status, status);
			assert.equal(answered.body.code, code);
			for (const key of ['error', 'code', 'message', 'hint', 'docs'] as const) {
				assert.equal(typeof answered.body[key], 'string', key);
				assert.notEqual(answered.body[key], '', key);
			}
			assert.equal(answered.body.error, answered.body.message);
		});
	}

	test('docs says where the API is described', async () => {
		const { body } = await playground.api('GET', '/me');
		const described = await fetch(body.docs);
		assert.equal(((await described.json()) as { openapi: string }).openapi, '3.1.0');
	});

	test('an error message holds no token', async () => {
		const { body } = await playground.api('GET', '/me', { token: 'my-secret-token' });
		assert.doesNotMatch(JSON.stringify(body), /my-secret-token/);
	});

	test('429: the Retry-After header says when to retry, in seconds', async () => {
		await playground.settings({ rateLimit: { perSecond: 0.001, burst: 1 }, retryAfterSeconds: 7 });
		await playground.api('GET', '/me', { token });
		const { status, headers } = await playground.api('GET', '/me', { token });
		assert.deepEqual([status, headers.get('retry-after')], [429, '7']);
	});

	test('429: the Retry-After header says when to retry, as an HTTP date', async () => {
		await playground.settings({
			rateLimit: { perSecond: 0.001, burst: 1 },
			retryAfter: 'date',
			retryAfterSeconds: 30,
		});
		await playground.api('GET', '/me', { token });
		const { headers } = await playground.api('GET', '/me', { token });
		const date = headers.get('retry-after') ?? '';
		assert.match(date, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
		const seconds = (Date.parse(date) - Date.now()) / 1000;
		assert.ok(seconds > 28 && seconds <= 31, date);
	});

	test('429 can be given by every operation, and comes before authentication', async () => {
		await playground.settings({ rateLimit: { perSecond: 0.001, burst: 1 } });
		await playground.api('GET', '/me');
		for (const [method, path] of [
			['GET', '/me'],
			['GET', '/forms'],
			['GET', `/forms/${unknownId}/responses`],
			['GET', `/responses/${unknownId}`],
			['POST', '/hooks'],
			['DELETE', `/hooks/${unknownId}`],
		] as const) {
			assert.equal((await playground.api(method, path, { token })).status, 429, path);
		}
		const refused = (await playground.requests()).filter(({ status }) => status === 429);
		assert.equal(refused.length, 6);
	});
});
