import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { startPlayground } from './playground.mts';

describe('The OpenAPI description', () => {
	let folder: string;
	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'form-service-'));
	});
	after(() => rm(folder, { recursive: true }));

	test('is served without authentication, as OpenAPI 3.1 with the six operations', async () => {
		const playground = await startPlayground();
		const { status, body } = await playground.call('GET', '/api/v1/openapi.json');
		await playground.close();
		assert.equal(status, 200);
		assert.match(body.openapi, /^3\.1\./);
		const operations = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
		);
		assert.deepEqual(operations, [
			'GET /me',
			'GET /forms',
			'GET /forms/{formId}/responses',
			'GET /responses/{responseId}',
			'POST /hooks',
			'DELETE /hooks/{hookId}',
		]);
	});

	async function listAfterDamage(file: string, validateResponses: boolean) {
		const data = join(folder, file);
		const playground = await startPlayground({ data, validateResponses });
		try {
			const token = await playground.token();
			await playground.form();
			const db = new DatabaseSync(data);
			db.exec("UPDATE forms SET id = 'damaged ' || seq WHERE seq = 4");
			db.close();
			const answered = await playground.api('GET', '/forms', { token });
			return { ...answered, lines: playground.lines };
		} finally {
			await playground.close();
		}
	}

	test('a response that violates it is a 500 internal_error, and the log names the violation', async () => {
		const { status, body, lines } = await listAfterDamage('validated.sqlite', true);
		assert.deepEqual([status, body.code], [500, 'internal_error']);
		assert.equal(lines.length, 1);
		assert.match(lines[0] ?? '', /GET \/api\/v1\/forms: .*\/data\/0\/id must match format "uuid"/);
	});

	test('without response validation the same response passes', async () => {
		const { status, body, lines } = await listAfterDamage('unvalidated.sqlite', false);
		assert.equal(status, 200);
		assert.equal(body.data[0].id, 'damaged 4');
		assert.deepEqual(lines, []);
	});
});
