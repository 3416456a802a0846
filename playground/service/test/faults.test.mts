import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startPlayground, type Playground } from './playground.mts';

describe('Faults on demand', () => {
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

	const me = () => playground.api('GET', '/me', { token });
	const lastRequest = async () => (await playground.requests()).at(-1);

	test('status: a documented error body by default', async () => {
		await playground.fault({ kind: 'status', status: 503 });
		const { status, body } = await me();
		assert.deepEqual([status, body.code], [503, 'internal_error']);
		assert.deepEqual(Object.keys(body).sort(), ['code', 'docs', 'error', 'hint', 'message']);
	});

	test('status: with code, headers and body as given', async () => {
		await playground.fault({ kind: 'status', status: 400, code: 'not_found' });
		assert.equal((await me()).body.code, 'not_found');
		const headers = { 'X-Trace': '7' };
		await playground.fault({ kind: 'status', status: 502, headers, body: '<h1>Bad gateway</h1>' });
		const answered = await me();
		assert.equal(answered.body, '<h1>Bad gateway</h1>');
		assert.equal(answered.headers.get('x-trace'), '7');
		await playground.fault({ kind: 'status', status: 500, body: { other: true } });
		assert.deepEqual((await me()).body, { other: true });
	});

	test('status 429: has Retry-After unless it is taken away', async () => {
		await playground.fault({ kind: 'status', status: 429 });
		assert.equal((await me()).headers.get('retry-after'), '1');
		await playground.fault({ kind: 'status', status: 429, headers: { 'Retry-After': '20' } });
		assert.equal((await me()).headers.get('retry-after'), '20');
		await playground.fault({ kind: 'status', status: 429, headers: { 'Retry-After': null } });
		assert.equal((await me()).headers.get('retry-after'), null);
	});

	test('delay: the normal answer, later', async () => {
		await playground.fault({ kind: 'delay', ms: 120 });
		const start = performance.now();
		assert.equal((await me()).status, 200);
		assert.ok(performance.now() - start >= 115);
	});

	test('reset: the connection is cut and nothing is handled', async () => {
		const { id: formId } = await playground.form();
		await playground.fault({ kind: 'reset' });
		await assert.rejects(playground.subscribe(token, formId, 'https://example.com/'), TypeError);
		assert.deepEqual(await playground.hooks(), []);
		assert.deepEqual(
			[(await lastRequest())?.status, (await lastRequest())?.fault],
			[null, 'reset'],
		);
	});

	test('lostReply: the request is handled, the reply never comes', async () => {
		const { id: formId } = await playground.form();
		await playground.fault({ kind: 'lostReply' });
		await assert.rejects(playground.subscribe(token, formId, 'https://example.com/'), TypeError);
		assert.equal((await playground.hooks()).length, 1);
		const request = await lastRequest();
		assert.deepEqual([request?.status, request?.fault], [201, 'lostReply']);
	});

	for (const how of ['length', 'chunks', 'gzip'] as const) {
		test(`cutOff (${how}): the request is handled, the end of the reply never comes`, async () => {
			const { id: formId } = await playground.form();
			await playground.fault({ kind: 'cutOff', how });
			await assert.rejects(playground.subscribe(token, formId, 'https://example.com/'), TypeError);
			assert.equal((await playground.hooks()).length, 1);
			assert.deepEqual(
				[(await lastRequest())?.status, (await lastRequest())?.fault],
				[201, 'cutOff'],
			);
		});
	}

	test('malformed: the raw text, as it is', async () => {
		await playground.fault({ kind: 'malformed', body: '{"data": [', contentType: 'text/html' });
		const { status, body, headers } = await me();
		assert.deepEqual([status, body], [200, '{"data": [']);
		assert.match(headers.get('content-type') ?? '', /^text\/html/);
	});

	test('malformed: an empty body, JSON by default', async () => {
		await playground.fault({ kind: 'malformed', body: '' });
		const { body, headers } = await me();
		assert.equal(body, '');
		assert.match(headers.get('content-type') ?? '', /json/);
	});

	test('expiredToken: 401 for a good token', async () => {
		await playground.fault({ kind: 'expiredToken' });
		const { status, body } = await me();
		assert.deepEqual([status, body.code], [401, 'unauthorized']);
		assert.equal((await me()).status, 200);
	});

	test('redirect: status and location', async () => {
		await playground.fault({ kind: 'redirect', location: 'https://example.com/', status: 307 });
		const { status, headers } = await me();
		assert.deepEqual([status, headers.get('location')], [307, 'https://example.com/']);
	});

	test('hang: no answer', async () => {
		await playground.fault({ kind: 'hang' });
		const url = `${playground.url}/api/v1/me`;
		await assert.rejects(fetch(url, { signal: AbortSignal.timeout(150) }), {
			name: 'TimeoutError',
		});
		assert.equal((await me()).status, 200);
	});

	test('times: 1 by default, several, or forever', async () => {
		const statuses = async (count: number) => {
			const seen: number[] = [];
			for (let n = 0; n < count; n++) seen.push((await me()).status);
			return seen;
		};
		await playground.fault({ kind: 'status', status: 500 });
		assert.deepEqual(await statuses(2), [500, 200]);
		await playground.fault({ kind: 'status', status: 500, times: 2 });
		assert.deepEqual(await statuses(3), [500, 500, 200]);
		await playground.fault({ kind: 'status', status: 500, times: null });
		assert.deepEqual(await statuses(4), [500, 500, 500, 500]);
	});

	test('skip: lets the first requests pass', async () => {
		await playground.fault({ kind: 'status', status: 500, skip: 2 });
		assert.deepEqual(
			[(await me()).status, (await me()).status, (await me()).status, (await me()).status],
			[200, 200, 500, 200],
		);
	});

	test('match: method and path below /api/v1, first match first', async () => {
		await playground.fault({ kind: 'status', status: 500, match: { path: '^/forms$' } });
		await playground.fault({ kind: 'status', status: 502, match: { method: 'post' } });
		await playground.fault({ kind: 'status', status: 503, match: { path: '^/(me|forms)$' } });
		const status = async (method: string, path: string) =>
			(await playground.api(method, path, { token })).status;
		assert.equal(await status('GET', '/forms'), 500);
		assert.equal(await status('GET', '/forms'), 503);
		assert.equal(await status('GET', '/me'), 200);
		assert.equal(await status('POST', '/hooks'), 502);
	});

	test('match: the whole path, for the OAuth endpoints', async () => {
		await playground.fault({ kind: 'status', status: 503, match: { path: '^/oauth/token' } });
		assert.equal((await me()).status, 200);
		assert.equal((await playground.call('POST', '/oauth/token')).status, 503);
	});

	test('faults are listed and cleared', async () => {
		const { id } = await playground.fault({ kind: 'status', status: 500, times: 3 });
		await me();
		const { faults } = await playground.control('GET', '/faults');
		assert.deepEqual(
			faults.map((fault: any) => [fault.id, fault.kind, fault.left]),
			[[id, 'status', 2]],
		);
		await playground.control('DELETE', '/faults');
		assert.equal((await me()).status, 200);
		assert.deepEqual((await playground.control('GET', '/faults')).faults, []);
	});

	test('a removed fault leaves the others', async () => {
		const { id } = await playground.fault({ kind: 'status', status: 500, times: null });
		await playground.fault({ kind: 'status', status: 502, times: null });
		assert.equal((await me()).status, 500);
		await playground.control('DELETE', `/faults/${id}`);
		assert.equal((await me()).status, 502);
	});

	for (const fault of [
		{ kind: 'status' },
		{ kind: 'explosion' },
		{ kind: 'delay', ms: 1, milliseconds: 1 },
		{ kind: 'cutOff', how: 'short' },
		{ kind: 'reset', match: { path: '(' } },
	]) {
		test(`${JSON.stringify(fault)} is refused`, async () => {
			const { status } = await playground.call('POST', '/playground/faults', { body: fault });
			assert.equal(status, 400);
			assert.equal((await me()).status, 200);
		});
	}
});
