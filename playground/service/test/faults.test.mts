import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultRequest } from '../faults/fault.mts';
import { sharedPlayground, startPlayground, unknownId } from './playground.mts';

const { playground, token } = await sharedPlayground();

const me = () => playground.api('GET', '/me', { token: token });
const statuses = async (count: number) => {
	const seen: number[] = [];
	for (let n = 0; n < count; n++) seen.push((await me()).status);
	return seen;
};

const answers: Array<[fault: FaultRequest, status: number, body: RegExp]> = [
	[{ kind: 'status', status: 503 }, 503, /"code":"internal_error".*"hint":"/],
	[{ kind: 'status', status: 400, code: 'not_found' }, 400, /"code":"not_found"/],
	[{ kind: 'status', status: 502, body: '<h1>Bad gateway</h1>' }, 502, /^"<h1>Bad gateway/],
	[{ kind: 'status', status: 500, body: { other: true } }, 500, /^{"other":true}$/],
	[{ kind: 'status', status: 429 }, 429, /rate_limited/],
	[{ kind: 'status', status: 200, body: '{"data": [' }, 200, /^"{\\"data\\": \["$/],
	[{ kind: 'status', status: 200, body: '' }, 200, /^""$/],
	[{ kind: 'delay', ms: 120 }, 200, /"workspace"/],
];
for (const [fault, status, body] of answers) {
	test(`${JSON.stringify(fault)}: once ${status}`, async () => {
		await playground.addFault(fault);
		const start = performance.now();
		const answered = await me();
		assert.equal(answered.status, status);
		assert.match(JSON.stringify(answered.body), body);
		if ('ms' in fault) assert.ok(performance.now() - start >= 115);
		assert.deepEqual(await statuses(1), [200]);
	});
}

for (const [fault, header, value] of [
	[{ kind: 'status', status: 429 }, 'retry-after', '1'],
	[{ kind: 'status', status: 429, headers: { 'Retry-After': '20' } }, 'retry-after', '20'],
	[{ kind: 'status', status: 429, headers: { 'Retry-After': null } }, 'retry-after', null],
] as const) {
	test(`${JSON.stringify(fault)}: ${header} ${value}`, async () => {
		await playground.addFault(fault);
		assert.equal((await me()).headers.get(header), value);
	});
}

const cuts: Array<[fault: FaultRequest, isDone: boolean]> = [
	[{ kind: 'reset' }, false],
	[{ kind: 'lostReply' }, true],
	[{ kind: 'cutOff', how: 'length' }, true],
	[{ kind: 'cutOff', how: 'chunks' }, true],
	[{ kind: 'cutOff', how: 'gzip' }, true],
];
for (const [fault, isDone] of cuts) {
	test(`${JSON.stringify(fault)}: ${isDone ? 'done' : 'not done'}, and no whole answer`, async () => {
		const { id } = await playground.addForm('Survey');
		await playground.addFault(fault);
		await assert.rejects(playground.subscribe(token, id, 'https://example.com/'), TypeError);
		assert.equal((await playground.hooks()).length, isDone ? 1 : 0);
		const { status, fault: kind } = (await playground.requests()).at(-1)!;
		assert.deepEqual({ kind, status }, { kind: fault.kind, status: isDone ? 201 : null });
	});
}

test('hang: no answer', async () => {
	await playground.addFault({ kind: 'hang' });
	const signal = AbortSignal.timeout(150);
	await assert.rejects(fetch(`${playground.url}/api/v1/me`, { signal }), {
		name: 'TimeoutError',
	});
});

test('times, skip, and removal', async () => {
	await playground.addFault({ kind: 'status', status: 500, skip: 1, times: 2 });
	assert.deepEqual(await statuses(4), [200, 500, 500, 200]);
	const { id } = await playground.addFault({ kind: 'status', status: 500, times: null });
	await playground.addFault({ kind: 'status', status: 502, times: null });
	assert.deepEqual(await statuses(3), [500, 500, 500]);
	await playground.control('DELETE', `/faults/${id}`);
	assert.deepEqual(await statuses(2), [502, 502]);
	await playground.control('DELETE', '/faults');
	assert.deepEqual(await statuses(1), [200]);
});

test('match: method, path below /api/v1 or the whole one; the first that matches', async () => {
	for (const [status, match] of [
		[500, { path: '^/forms$' }],
		[502, { method: 'post', path: '^/hooks' }],
		[503, { path: '^/(me|forms)$' }],
		[504, { path: '^/oauth/token' }],
	] as const) {
		await playground.addFault({ kind: 'status', status, match });
	}
	const status = async (method: string, path: string) =>
		(await playground.call(method, path, { token })).status;
	assert.equal(await status('GET', '/api/v1/forms'), 500);
	assert.equal(await status('GET', '/api/v1/forms'), 503);
	assert.equal(await status('GET', '/api/v1/me'), 200);
	assert.equal(await status('POST', '/api/v1/hooks'), 502);
	assert.equal(await status('POST', '/oauth/token'), 504);
});

test('reset empties everything, faults, settings and tokens too, unless told otherwise', async (t) => {
	const { id } = await playground.addForm('Survey');
	await playground.subscribe(token, id, 'http://127.0.0.1:9/');
	await playground.addFault({ kind: 'status', status: 500, times: null });
	await playground.settings({ maxHooks: 0, latencyMs: 5 });
	await playground.control('POST', '/reset', { keepTokens: true, seed: true });
	const { body } = await playground.api('GET', '/forms', { token });
	assert.equal(body.data.length, 3);
	assert.deepEqual(await playground.hooks(), []);
	assert.equal((await playground.requests()).length, 1);
	assert.equal((await playground.control('PUT', '/settings', {})).maxHooks, 20);

	const other = await startPlayground();
	t.after(other.close);
	const spent = await other.accessToken();
	await other.control('POST', '/reset');
	assert.equal((await other.api('GET', '/me', { token: spent })).status, 401);
});

test('the request log has what was asked, never a token', async () => {
	await playground.api('GET', '/forms?limit=2', { token });
	await playground.call('POST', '/oauth/token');
	const [request, ...others] = await playground.requests();
	const { id: _, at: __, ...rest } = request!;
	const query = { limit: '2' };
	assert.deepEqual(rest, {
		...{ method: 'GET', path: '/forms', query },
		...{ status: 200, authenticatedAs: 'oauth' },
	});
	assert.deepEqual(others, []);
	await playground.control('DELETE', '/requests');
	assert.deepEqual(await playground.requests(), []);
});

test('tokens are found in a text, whatever stands beside them', async () => {
	const { accessToken, refreshToken } = await playground.control('POST', '/tokens', {});
	const found = async (text: string) =>
		(await playground.control('POST', '/tokens/find', { text })).found;
	assert.equal(await found(`\\n${accessToken}, and "_${refreshToken}x"`), 2);
	assert.equal(await found(`${accessToken.slice(1)} ${refreshToken.slice(0, -1)}`), 0);
});

test('latencyMs delays every answer of the API; a rate limit lets a burst pass', async () => {
	await playground.settings({ latencyMs: 80, rateLimit: { perSecond: 1, burst: 5 } });
	const start = performance.now();
	const send = async () => (await playground.api('GET', '/me', { token })).status;
	const sent = await Promise.all(Array.from({ length: 15 }, send));
	assert.ok(performance.now() - start >= 75);
	assert.equal(sent.filter((status) => status === 200).length, 5);
});

for (const [method, path, body, message] of [
	['PUT', '/settings', { rateLimits: null }, /rateLimits/],
	['PUT', '/settings', { rateLimit: { perSecond: 1 } }, /rateLimit\.burst/],
	['POST', '/forms', {}, /title/],
	['POST', '/forms', { title: 'Form', count: 0 }, /count/],
	['POST', '/forms', { title: 'Form', updatedAt: 'yesterday' }, /updatedAt/],
	['POST', `/forms/${unknownId}/responses`, { answers: [{ label: 'x' }] }, /answers/],
	['POST', '/faults', { kind: 'status' }, /status/],
	['POST', '/faults', { kind: 'explosion' }, /kind/],
	['POST', '/faults', { kind: 'delay', ms: 1, milliseconds: 1 }, /milliseconds/],
	['POST', '/faults', { kind: 'reset', match: { path: '(' } }, /match\.path/],
] as const) {
	test(`${method} ${path} refuses ${JSON.stringify(body)}`, async () => {
		const answered = await playground.call(method, `/playground${path}`, { body });
		assert.equal(answered.status, 400);
		assert.match(answered.body.error, message);
	});
}

test('what is not there is 404', async () => {
	for (const [method, path] of [
		['DELETE', `/forms/${unknownId}`],
		['DELETE', `/hooks/${unknownId}`],
		['POST', `/forms/${unknownId}/responses`],
		['POST', `/responses/${unknownId}/deliver`],
		['DELETE', `/faults/${unknownId}`],
		['GET', '/nothing'],
	] as const) {
		const { status } = await playground.call(method, `/playground${path}`);
		assert.equal(status, 404, path);
	}
});
