import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { startPlayground } from './playground.mts';
import { startReceiver } from './receiver.mts';

let folder: string;
before(async () => (folder = await mkdtemp(join(tmpdir(), 'form-service-'))));
after(() => rm(folder, { recursive: true }));

describe('What is stored', () => {
	test('survives a restart', async () => {
		const data = join(folder, 'new', 'folder', 'service.sqlite');
		const first = await startPlayground({ data });
		const seeded = await first.api('GET', '/forms', { token: await first.accessToken() });
		assert.equal(seeded.body.data.length, 3);
		const { accessToken: token } = await first.control('POST', '/tokens', {});
		const form = (await first.addForms({ title: 'Kept' }))[0]!;
		const { body: hook } = await first.subscribe(token, form.id, 'http://127.0.0.1:9/');
		const [made] = await first.addResponses(form.id);
		const deliveries = await first.delivered();
		await first.close();

		const second = await startPlayground({ data });
		const { body: page } = await second.api('GET', '/forms', { token });
		assert.deepEqual(page.data, [form, ...seeded.body.data]);
		const { body: latest } = await second.api('GET', `/forms/${form.id}/responses`, { token });
		assert.deepEqual(latest.data, [made]);
		assert.deepEqual(await second.hooks(), [hook]);
		assert.deepEqual(await second.deliveries(), deliveries);
		const [later] = await second.addResponses(form.id);
		assert.ok(later!.data.completedAt > made!.data.completedAt);
		await second.close();
	});

	test('is begun again where another version of the service wrote it', async () => {
		const data = join(folder, 'old.sqlite');
		const db = new DatabaseSync(data);
		db.exec('CREATE TABLE forms (id TEXT); PRAGMA user_version = 1');
		db.close();
		const playground = await startPlayground({ data });
		const { body } = await playground.api('GET', '/forms', {
			token: await playground.accessToken(),
		});
		assert.equal(body.data.length, 3);
		await playground.close();
	});

	test('is checked when it is given', async () => {
		const data = join(folder, 'damaged.sqlite');
		const playground = await startPlayground({ data });
		const token = await playground.accessToken();
		const db = new DatabaseSync(data);
		db.exec(`UPDATE forms SET document = json_set(document, '$.id', 'damaged') WHERE seq = 3`);
		db.close();
		const { status, body } = await playground.api('GET', '/forms', { token });
		await playground.close();
		assert.deepEqual([status, body.code], [500, 'internal_error']);
		assert.match(playground.lines.join(), /\/data\/\d\/id must match format "uuid"/);
	});
});

test('closing cuts off deliveries, those that wait, and hanging requests', async ({ waitFor }) => {
	const receiver = await startReceiver();
	receiver.answerAfter(60_000);
	const playground = await startPlayground();
	const { id } = await playground.addForm('Survey');
	await playground.subscribe(await playground.accessToken(), id, receiver.url);
	await playground.addResponses(id);
	await waitFor(() => assert.equal(receiver.received.length, 1), { timeout: 5_000 });
	await playground.settings({ deliveryDelayMs: 60_000 });
	await playground.addResponses(id);
	await playground.addFault({ kind: 'hang' });
	const hanging = assert.rejects(fetch(`${playground.url}/api/v1/me`));
	const start = performance.now();
	await playground.close();
	await hanging;
	assert.ok(performance.now() - start < 5_000);
	receiver.close();
});

describe('node main.mts', { concurrency: true }, () => {
	function start(environment: Record<string, string>) {
		const child = spawn(process.execPath, [join(import.meta.dirname, '../main.mts')], {
			env: { PATH: process.env.PATH, PORT: '0', ...environment },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const exited = once(child, 'exit').then(([code]) => code as number | null);
		return { child, errors: text(child.stderr), exited };
	}

	for (const [signal, BASE_URL] of [
		['SIGTERM', ''],
		['SIGINT', 'http://127.0.0.1:80/form/'],
	] as const) {
		test(`tells its address ${BASE_URL} when it listens; exits with 0 on ${signal}`, async () => {
			const { child, errors, exited } = start({ BASE_URL });
			const [line] = (await once(child.stdout, 'data')) as [Buffer];
			const [, url] = /^Form service ready at (http:\S+)\n$/.exec(String(line)) ?? [];
			if (BASE_URL) assert.equal(`${url}/`, BASE_URL);
			else assert.equal((await fetch(`${url}/api/v1/me`)).status, 401);
			child.kill(signal);
			assert.equal(await exited, 0);
			assert.equal(await errors, '');
		});
	}

	test('what it cannot use is one line that names it', async () => {
		await writeFile(join(folder, 'text'), 'no database');
		const taken = await startPlayground();
		for (const [name, value] of [
			['PORT', 'abc'],
			['PORT', '70000'],
			['PORT', String(taken.port)],
			['BASE_URL', 'localhost:5800'],
			['DATA', join(folder, 'text')],
		] as const) {
			const { errors, exited } = start({ [name]: value });
			assert.equal(await exited, 1);
			assert.match(await errors, new RegExp(`^[^\n]*${name}[^\n]*\n$`));
		}
		await taken.close();
	});
});
