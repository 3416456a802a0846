import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apiKey, startPlayground, unknownId, type Playground } from './playground.mts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('What the service does', () => {
	let playground: Playground;
	before(async () => {
		playground = await startPlayground();
	});
	after(() => playground.close());

	test('bodies are JSON', async () => {
		const token = await playground.token();
		const { id } = await playground.form();
		const [envelope] = await playground.respond(id);
		const paths = [
			'/me',
			'/forms',
			`/forms/${id}/responses`,
			`/responses/${envelope?.data.responseId}`,
		];
		for (const path of [...paths, '/forms?limit=0', `/responses/${unknownId}`]) {
			const { headers } = await playground.api('GET', path, { token });
			assert.match(headers.get('content-type') ?? '', /^application\/json/, path);
		}
	});

	test('the token acts as exactly one Workspace', async () => {
		const withKey = await playground.api('GET', '/me', { token: apiKey });
		const withOAuth = await playground.api('GET', '/me', { token: await playground.token() });
		assert.deepEqual(withKey.body.workspace, withOAuth.body.workspace);
		assert.equal(typeof withKey.body.workspace.slug, 'string');
	});

	test('for OAuth 2.0 tokens it also acts as a user', async () => {
		const { body } = await playground.api('GET', '/me', { token: await playground.token() });
		assert.equal(typeof body.user.name, 'string');
		assert.match(body.user.email, /@example\.com$/);
	});

	test('new completed Responses are pushed or can be fetched: both give the same Response', async () => {
		const { id } = await playground.form();
		const [made] = await playground.respond(id);
		const latest = await playground.api('GET', `/forms/${id}/responses`, { token: apiKey });
		const single = await playground.api('GET', `/responses/${made?.data.responseId}`, {
			token: apiKey,
		});
		assert.deepEqual(latest.body.data, [made]);
		assert.deepEqual(single.body, made);
	});

	test('all paths are relative to a base address that ends in /api/v1', async () => {
		const token = await playground.token();
		assert.equal((await playground.call('GET', '/api/v1/me', { token })).status, 200);
		assert.equal((await playground.call('GET', '/me', { token })).status, 404);
	});

	test('all identifiers (Form, Response, Hook) are UUIDs', async () => {
		const token = await playground.token();
		const form = await playground.form();
		const [envelope] = await playground.respond(form.id);
		const hook = await playground.subscribe(token, form.id, 'http://127.0.0.1:9/hook');
		for (const id of [form.id, envelope?.data.responseId ?? '', hook.body.id]) {
			assert.match(id, uuid);
		}
	});

	test('an identifier that is not a UUID is an invalid request', async () => {
		const token = await playground.token();
		const requests: Array<[method: string, path: string]> = [
			['GET', '/forms/abc/responses'],
			['GET', '/responses/abc'],
			['GET', '/responses/..%2Fme'],
			['DELETE', '/hooks/abc'],
			['DELETE', `/hooks/${'a'.repeat(10_000)}`],
		];
		for (const [method, path] of requests) {
			const { status, body } = await playground.api(method, path, { token });
			assert.equal(status, 400, path.slice(0, 40));
			assert.equal(body.code, 'invalid_request');
			assert.match(body.message, /Id/);
		}
	});
});
