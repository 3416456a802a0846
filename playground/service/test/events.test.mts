import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startPlayground, type Playground } from './playground.mts';
import { startReceiver, type Receiver } from './receiver.mts';
import { until } from './until.mts';

describe('Events', () => {
	let playground: Playground;
	let receiver: Receiver;
	let token: string;
	before(async () => {
		playground = await startPlayground();
		receiver = await startReceiver();
	});
	beforeEach(async () => {
		await playground.reset();
		receiver.received.length = 0;
		receiver.answerAfter(0);
		token = await playground.token();
	});
	after(async () => {
		receiver.close();
		await playground.close();
	});

	const received = (count: number) =>
		until(
			() => receiver.received,
			({ length }) => length >= count,
		);
	const logged = (count: number) =>
		until(
			() => playground.deliveries(),
			({ length }) => length >= count,
		);

	test('the payload is the Response envelope that the read operations return', async () => {
		const { id } = await playground.form();
		await playground.subscribe(token, id, `${receiver.url}/hook?token=secret`);
		const [envelope] = await playground.respond(id);
		const [delivery] = await received(1);
		const path = `/responses/${envelope?.data.responseId}`;
		const { body } = await playground.api('GET', path, { token });
		assert.deepEqual(JSON.parse(delivery?.body ?? ''), body);
	});

	test('it is POSTed as JSON to the targetUrl, query included', async () => {
		const { id } = await playground.form();
		await playground.subscribe(token, id, `${receiver.url}/hook?token=secret`);
		await playground.respond(id);
		const [delivery] = await received(1);
		assert.deepEqual([delivery?.method, delivery?.url], ['POST', '/hook?token=secret']);
		assert.equal(delivery?.headers['content-type'], 'application/json');
		assert.equal(delivery?.headers['user-agent'], 'form-service');
	});

	test('a subscription is per Form', async () => {
		const [mine, other] = await playground.forms({ title: 'Form', count: 2 });
		await playground.subscribe(token, mine?.id ?? '', receiver.url);
		await playground.respond(other?.id ?? '');
		await playground.respond(mine?.id ?? '');
		await logged(1);
		assert.deepEqual(
			receiver.received.map(({ body }) => JSON.parse(body).data.formId),
			[mine?.id],
		);
	});

	test('several hooks of one Form each get the event', async () => {
		const { id } = await playground.form();
		for (const path of ['/a', '/b', '/a'])
			await playground.subscribe(token, id, receiver.url + path);
		await playground.respond(id);
		await logged(3);
		assert.deepEqual(receiver.received.map(({ url }) => url).sort(), ['/a', '/a', '/b']);
	});

	test('a submission is answered without waiting for its deliveries', async () => {
		const { id } = await playground.form();
		await playground.subscribe(token, id, receiver.url);
		receiver.answerAfter(2_000);
		await playground.respond(id);
		assert.deepEqual(await playground.deliveries(), []);
		await logged(1);
	});

	test('the delivery log has status, error and duration of each delivery', async () => {
		const { id } = await playground.form();
		const { body: hook } = await playground.subscribe(token, id, receiver.url);
		receiver.answerNext(503);
		receiver.answerAfter(30);
		const [envelope] = await playground.respond(id);
		const [delivery] = await logged(1);
		assert.ok(delivery);
		const { durationMs, startedAt, id: _, ...rest } = delivery;
		assert.deepEqual(rest, {
			hookId: hook.id,
			formId: id,
			responseId: envelope?.data.responseId,
			targetUrl: receiver.url,
			status: 503,
			error: null,
		});
		assert.ok(durationMs >= 25 && durationMs < 2000);
		assert.ok(Math.abs(Date.parse(startedAt) - Date.now()) < 10_000);
	});

	test('a subscriber that is down is an error in the log, and the hook stays', async () => {
		const { id } = await playground.form();
		const down = await startReceiver();
		down.close();
		await playground.subscribe(token, id, `${down.url}/?token=secret`);
		await playground.respond(id);
		const [delivery] = await logged(1);
		assert.deepEqual([delivery?.status, delivery?.error], [null, 'ECONNREFUSED']);
		assert.equal((await playground.hooks()).length, 1);
	});

	test('a subscriber that does not answer in time is an error in the log', async () => {
		await playground.settings({ deliveryTimeoutMs: 50 });
		receiver.answerAfter(500);
		const { id } = await playground.form();
		await playground.subscribe(token, id, receiver.url);
		await playground.respond(id);
		const [delivery] = await logged(1);
		assert.deepEqual([delivery?.status, delivery?.error], [null, 'no answer within 50 ms']);
	});

	test('retries are off by default, and can be set', async () => {
		const { id } = await playground.form();
		await playground.subscribe(token, id, receiver.url);
		receiver.answerNext(500);
		await playground.respond(id);
		await logged(1);
		await playground.settings({ deliveryRetries: 2, deliveryRetryWaitMs: 1 });
		receiver.answerNext(500, 502, 200);
		await playground.respond(id);
		const deliveries = await logged(4);
		assert.deepEqual(
			deliveries.map(({ status }) => status),
			[500, 500, 502, 200],
		);
	});

	test('a response can be delivered again, several times, also at one instant', async () => {
		const { id } = await playground.form();
		await playground.subscribe(token, id, receiver.url);
		const [envelope] = await playground.respond(id, { deliver: false });
		const path = `/responses/${envelope?.data.responseId}/deliver`;
		receiver.answerAfter(2_000);
		const delivering = playground.control('POST', path, { times: 5, concurrent: true });
		// One after the other they would take longer than that is waited for.
		await received(5);
		const { deliveries } = await delivering;
		assert.equal(deliveries.length, 5);
		receiver.answerAfter(0);
		assert.equal((await playground.control('POST', path)).deliveries.length, 1);
		assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
		assert.equal(receiver.received.length, 6);
	});

	test('deliver: false stores a response without delivering it', async () => {
		const { id } = await playground.form();
		await playground.subscribe(token, id, receiver.url);
		const [quiet] = await playground.respond(id, { deliver: false });
		const [loud] = await playground.respond(id);
		const [delivery] = await logged(1);
		assert.equal(delivery?.responseId, loud?.data.responseId);
		const path = `/responses/${quiet?.data.responseId}`;
		assert.equal((await playground.api('GET', path, { token })).status, 200);
	});

	test('a hook the service has lost is delivered to no more', async () => {
		const { id } = await playground.form();
		const { body: lost } = await playground.subscribe(token, id, `${receiver.url}/lost`);
		await playground.subscribe(token, id, `${receiver.url}/kept`);
		await playground.control('DELETE', `/hooks/${lost.id}`);
		await playground.respond(id);
		await logged(1);
		assert.deepEqual(
			receiver.received.map(({ url }) => url),
			['/kept'],
		);
	});
});
