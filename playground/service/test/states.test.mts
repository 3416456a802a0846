import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startPlayground, unknownId, type Playground } from './playground.mts';
import { startReceiver, type Receiver } from './receiver.mts';
import { until } from './until.mts';

describe('States and transitions', () => {
	let playground: Playground;
	let receiver: Receiver;
	let token: string;
	before(async () => {
		playground = await startPlayground();
		receiver = await startReceiver();
		token = await playground.token();
	});
	after(async () => {
		receiver.close();
		await playground.close();
	});

	test('(none) to active: POST /hooks gives status 201 with the Hook', async () => {
		const { id } = await playground.form();
		const { status, body } = await playground.subscribe(token, id, receiver.url);
		assert.equal(status, 201);
		assert.deepEqual(
			(await playground.hooks()).filter(({ formId }) => formId === id),
			[body],
		);
	});

	test('active to removed: DELETE /hooks/{hookId} gives status 204 and no body', async () => {
		const { id } = await playground.form();
		const { body: hook } = await playground.subscribe(token, id, receiver.url);
		const { status, body } = await playground.api('DELETE', `/hooks/${hook.id}`, { token });
		assert.deepEqual([status, body], [204, '']);
		assert.ok(!(await playground.hooks()).some(({ id }) => id === hook.id));
	});

	test('removed stays removed: DELETE gives 204 again (idempotent)', async () => {
		const { id } = await playground.form();
		const { body: hook } = await playground.subscribe(token, id, receiver.url);
		for (const hookId of [hook.id, hook.id, unknownId]) {
			const { status } = await playground.api('DELETE', `/hooks/${hookId}`, { token });
			assert.equal(status, 204);
		}
	});

	test('a removed hook is not delivered to', async () => {
		const { id } = await playground.form();
		const { body: hook } = await playground.subscribe(token, id, `${receiver.url}/removed`);
		const { body: kept } = await playground.subscribe(token, id, `${receiver.url}/kept`);
		await playground.api('DELETE', `/hooks/${hook.id}`, { token });
		await playground.respond(id);
		const deliveries = await until(
			() => playground.deliveries(id),
			({ length }) => length > 0,
		);
		assert.deepEqual(
			deliveries.map(({ hookId }) => hookId),
			[kept.id],
		);
	});

	test('active to removed: the hook is deleted when a delivery is answered with 410 Gone', async () => {
		const { id } = await playground.form();
		const { body: hook } = await playground.subscribe(token, id, receiver.url);
		receiver.answerNext(410);
		await playground.respond(id);
		await until(
			() => playground.hooks(),
			(hooks) => !hooks.some((one) => one.id === hook.id),
		);
		const [delivery] = await playground.deliveries(id);
		assert.equal(delivery?.status, 410);
	});

	for (const status of [200, 404, 500]) {
		test(`a delivery answered with ${status} leaves the hook active`, async () => {
			const { id } = await playground.form();
			const { body: hook } = await playground.subscribe(token, id, receiver.url);
			receiver.answerNext(status);
			await playground.respond(id);
			const [delivery] = await until(
				() => playground.deliveries(id),
				({ length }) => length > 0,
			);
			assert.equal(delivery?.status, status);
			assert.ok((await playground.hooks()).some((one) => one.id === hook.id));
		});
	}
});
