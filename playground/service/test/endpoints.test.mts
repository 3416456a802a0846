import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startPlayground, unknownId, type FormPage, type Playground } from './playground.mts';

describe('Endpoints', () => {
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

	const titles = (page: FormPage): string[] => page.data.map(({ title }) => title);
	const list = (query = '') => playground.api<FormPage>('GET', `/forms${query}`, { token });

	test('GET /me: 200 with workspace, user and scope', async () => {
		const { status, body } = await playground.api('GET', '/me', { token });
		assert.equal(status, 200);
		assert.deepEqual(Object.keys(body).sort(), ['scope', 'user', 'workspace']);
	});

	test('GET /forms: updatedAt descending', async () => {
		await playground.form({ title: 'middle', updatedAt: '2026-02-01T00:00:00Z' });
		await playground.form({ title: 'newest', updatedAt: '2026-03-01T00:00:00Z' });
		await playground.form({ title: 'oldest', updatedAt: '2026-01-01T00:00:00Z' });
		assert.deepEqual(titles((await list()).body), ['newest', 'middle', 'oldest']);
	});

	test('GET /forms: body is { data, nextCursor }, nextCursor null on the last page', async () => {
		assert.deepEqual((await list()).body, { data: [], nextCursor: null });
		await playground.forms({ title: 'Form', count: 3 });
		const { body } = await list('?limit=3');
		assert.deepEqual([body.data.length, body.nextCursor], [3, null]);
	});

	test('GET /forms: following nextCursor gives every form once, in order', async () => {
		const made = await playground.forms({ title: 'Form', count: 23 });
		const seen: string[] = [];
		let cursor: string | null = '';
		for (let page = 1; cursor !== null; page++) {
			const { body }: { body: FormPage } = await list(`?limit=5${cursor && `&cursor=${cursor}`}`);
			seen.push(...body.data.map(({ id }) => id));
			cursor = body.nextCursor;
			assert.ok(page <= 5);
		}
		assert.deepEqual(
			seen,
			made.map(({ id }) => id),
		);
	});

	test('GET /forms: forms updated at one instant are not lost between pages', async () => {
		const updatedAt = '2026-01-01T00:00:00Z';
		for (const title of ['a', 'b', 'c']) await playground.form({ title, updatedAt });
		const first = (await list('?limit=2')).body;
		const second = (await list(`?limit=2&cursor=${first.nextCursor}`)).body;
		assert.deepEqual([...titles(first), ...titles(second)], ['c', 'b', 'a']);
	});

	test('GET /forms: a cursor outlives the form it points at', async () => {
		const made = await playground.forms({ title: 'Form', count: 4 });
		const { nextCursor } = (await list('?limit=2')).body;
		await playground.control('DELETE', `/forms/${made[1]?.id}`);
		const { body } = await list(`?cursor=${nextCursor}`);
		assert.deepEqual(titles(body), ['Form 3', 'Form 4']);
	});

	test('GET /forms: the cursor is a UUID', async () => {
		await playground.forms({ title: 'Form', count: 2 });
		const { nextCursor } = (await list('?limit=1')).body;
		assert.match(String(nextCursor), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
	});

	for (const cursor of ['abc', '', unknownId]) {
		test(`GET /forms: 400 for the cursor "${cursor}", which no page gave`, async () => {
			const { status, body } = await list(`?cursor=${cursor}`);
			assert.equal(status, 400);
			assert.match(JSON.stringify(body), /cursor/);
		});
	}

	test('GET /forms: other query parameters do no harm', async () => {
		assert.equal((await list('?anything=1')).status, 200);
	});

	test('GET /forms/{formId}/responses: only of this Form, newest first', async () => {
		const { id } = await playground.form();
		const other = await playground.form();
		await playground.respond(id, { answers: { n: 'old' }, completedAt: '2026-01-01T00:00:00Z' });
		await playground.respond(id, { answers: { n: 'new' }, completedAt: '2026-03-01T00:00:00Z' });
		await playground.respond(id, { answers: { n: 'mid' }, completedAt: '2026-02-01T00:00:00Z' });
		await playground.respond(other.id);
		const { status, body } = await playground.api('GET', `/forms/${id}/responses`, { token });
		assert.equal(status, 200);
		assert.deepEqual(Object.keys(body), ['data']);
		assert.deepEqual(
			body.data.map((one: any) => one.data.fields.n),
			['new', 'mid', 'old'],
		);
	});

	test('GET /forms/{formId}/responses: responses made at once keep their order', async () => {
		const { id } = await playground.form();
		const made = await playground.respond(id, { count: 12 });
		const { body } = await playground.api('GET', `/forms/${id}/responses?limit=25`, { token });
		assert.deepEqual(body.data, made.toReversed());
		const times = made.map(({ data }) => data.completedAt);
		assert.equal(new Set(times).size, times.length);
	});

	test('GET /forms/{formId}/responses: 404 when there is no such Form', async () => {
		const { status, body } = await playground.api('GET', `/forms/${unknownId}/responses`, {
			token,
		});
		assert.deepEqual([status, body.code], [404, 'not_found']);
	});

	test('GET /responses/{responseId}: one Response envelope', async () => {
		const { id } = await playground.form();
		const [, second] = await playground.respond(id, { count: 3 });
		const path = `/responses/${second?.data.responseId.toUpperCase()}`;
		const { status, body } = await playground.api('GET', path, { token });
		assert.equal(status, 200);
		assert.deepEqual(body, second);
	});

	test('GET /responses/{responseId}: 404 when there is no such completed Response', async () => {
		const { status, body } = await playground.api('GET', `/responses/${unknownId}`, { token });
		assert.deepEqual([status, body.code], [404, 'not_found']);
	});

	test('POST /hooks: 404 when there is no such Form', async () => {
		const { status, body } = await playground.subscribe(token, unknownId, 'https://example.com/');
		assert.deepEqual([status, body.code], [404, 'not_found']);
		assert.deepEqual(await playground.hooks(), []);
	});

	const invalidBodies: Array<[what: string, body: unknown]> = [
		['no body', undefined],
		['an empty object', {}],
		['no targetUrl', { formId: unknownId }],
		['no formId', { targetUrl: 'https://example.com/' }],
		['a formId that is no UUID', { formId: 'abc', targetUrl: 'https://example.com/' }],
		['an array', []],
		['truncated JSON', '{"formId":'],
	];
	for (const [what, body] of invalidBodies) {
		test(`POST /hooks: 400 for an invalid body: ${what}`, async () => {
			const answered = await playground.api('POST', '/hooks', { token, body });
			assert.deepEqual([answered.status, answered.body.code], [400, 'invalid_request']);
			assert.deepEqual(await playground.hooks(), []);
		});
	}

	test('POST /hooks: 400 for a body that is not JSON', async () => {
		const headers = { 'Content-Type': 'text/plain' };
		const { status } = await playground.api('POST', '/hooks', { token, body: 'formId=1', headers });
		assert.equal(status, 400);
	});

	for (const targetUrl of [
		'',
		'abc',
		'/path',
		'ftp://example.com/',
		'mailto:a@example.com',
		'http://',
		7,
	]) {
		test(`POST /hooks: 400 for the invalid target URL ${JSON.stringify(targetUrl)}`, async () => {
			const { id: formId } = await playground.form();
			const { status, body } = await playground.api('POST', '/hooks', {
				token,
				body: { formId, targetUrl },
			});
			assert.deepEqual([status, body.code], [400, 'invalid_request']);
			assert.match(body.message, /targetUrl/);
			assert.deepEqual(await playground.hooks(), []);
		});
	}
});
