import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startPlayground } from './playground.mts';
import { startReceiver } from './receiver.mts';
import { until } from './until.mts';

describe('Data', () => {
	let folder: string;
	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'form-service-'));
	});
	after(() => rm(folder, { recursive: true }));

	test('forms, responses, hooks, tokens and the delivery log survive a restart', async () => {
		const data = join(folder, 'new', 'folder', 'service.sqlite');
		const receiver = await startReceiver();
		const first = await startPlayground({ data });
		const { accessToken: token, refreshToken } = await first.control('POST', '/tokens', {});
		const form = await first.form({ title: 'Kept' });
		const { body: hook } = await first.subscribe(token, form.id, receiver.url);
		const [made] = await first.respond(form.id);
		const deliveries = await until(
			() => first.deliveries(form.id),
			({ length }) => length === 1,
		);
		await first.close();

		const second = await startPlayground({ data });
		const { body: page } = await second.api('GET', '/forms?limit=1', { token });
		assert.deepEqual(page.data, [form]);
		const responses = await second.api('GET', `/forms/${form.id}/responses`, { token });
		assert.deepEqual(responses.body.data, [made]);
		assert.deepEqual(await second.hooks(), [hook]);
		assert.deepEqual(await second.deliveries(), deliveries);

		const [later] = await second.respond(form.id);
		await until(
			() => receiver.received,
			({ length }) => length === 2,
		);
		assert.ok((later?.data.completedAt ?? '') > (made?.data.completedAt ?? ''));

		const refreshed = await second.call('POST', '/oauth/token', {
			body: new URLSearchParams({
				grant_type: 'refresh_token',
				refresh_token: refreshToken,
				client_id: 'playground',
				client_secret: 'playground-secret',
			}).toString(),
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		});
		assert.equal(refreshed.status, 200);
		await second.close();
		receiver.close();
	});

	test('the first start seeds three forms with responses, a later start does not', async () => {
		const data = join(folder, 'seeded.sqlite');
		const first = await startPlayground({ data });
		const seeded = await first.api('GET', '/forms', { token: await first.token() });
		assert.equal(seeded.body.data.length, 3);
		await first.reset();
		await first.close();

		const second = await startPlayground({ data });
		const empty = await second.api('GET', '/forms', { token: await second.token() });
		assert.deepEqual(empty.body.data, []);
		await second.close();
	});

	test('closing cuts off deliveries and hanging requests', async () => {
		const receiver = await startReceiver();
		receiver.answerAfter(60_000);
		const playground = await startPlayground();
		const { id } = await playground.form();
		await playground.subscribe(await playground.token(), id, receiver.url);
		await playground.respond(id);
		await until(
			() => receiver.received,
			({ length }) => length === 1,
		);
		await playground.fault({ kind: 'hang' });
		const hanging = assert.rejects(fetch(`${playground.url}/api/v1/me`));
		const start = performance.now();
		await playground.close();
		await hanging;
		const took = performance.now() - start;
		receiver.close();
		assert.ok(took < 5_000, `closing took ${took} ms`);
	});
});
