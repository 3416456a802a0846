import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedPlayground } from './playground.mts';
import { startReceiver, type Receiver } from './receiver.mts';

const { playground, token } = await sharedPlayground();

let receiver: Receiver;
before(async () => (receiver = await startReceiver()));
after(() => receiver.close());
beforeEach(() => {
	receiver.received.length = 0;
	receiver.forgetAnswers();
	receiver.answerAfter(0);
});

/** Creates a form with a hook to each address. */
async function subscribed(...urls: string[]) {
	const { id } = await playground.addForm('Survey');
	const hooks = [];
	for (const url of urls) {
		hooks.push((await playground.subscribe(token, id, url)).body);
	}
	return { id, hooks };
}

test('each hook of the form gets the response that the API has, as JSON', async () => {
	const { id } = await subscribed(`${receiver.url}/a?key=secret`, `${receiver.url}/b`);
	await playground.addResponses((await playground.addForm('Survey')).id);
	const [made] = await playground.addResponses(id);
	await playground.delivered(2);
	const [first] = receiver.received;
	assert.deepEqual(receiver.received.map(({ url }) => url).sort(), ['/a?key=secret', '/b']);
	assert.deepEqual(
		[first!.method, first!.headers['content-type'], first!.headers['user-agent']],
		['POST', 'application/json', 'form-service'],
	);
	const path = `/responses/${made!.data.responseId}`;
	const { body } = await playground.api('GET', path, { token });
	assert.deepEqual([JSON.parse(first!.body), body], [made, made]);
});

for (const status of [200, 404, 500, 410]) {
	test(`an answer of ${status} ${status === 410 ? 'removes' : 'keeps'} the hook`, async () => {
		const { id, hooks } = await subscribed(receiver.url);
		receiver.answerNext(status);
		await playground.addResponses(id);
		const [delivery] = await playground.delivered(1);
		assert.equal(delivery!.status, status);
		assert.deepEqual(await playground.hooks(), status === 410 ? [] : hooks);
	});
}

test('DELETE removes a hook, again and again; the others are kept', async () => {
	const { id, hooks } = await subscribed(receiver.url, receiver.url, `${receiver.url}/kept`);
	for (const hook of [hooks[0]!, hooks[0]!]) {
		const { status } = await playground.api('DELETE', `/hooks/${hook.id}`, { token });
		assert.equal(status, 204);
	}
	await playground.control('DELETE', `/hooks/${hooks[1]!.id}`);
	await playground.addResponses(id);
	await playground.delivered(1);
	assert.equal(receiver.received.map(({ url }) => url).join(), '/kept');
});

test('there can be no more hooks than are allowed', async () => {
	await playground.settings({ maxHooks: 2 });
	const { hooks } = await subscribed(...Array<string>(3).fill(receiver.url));
	assert.match(hooks[2]!.message, /Too many subscriptions: 2/);
	assert.equal((await playground.hooks()).length, 2);
});

test('the log has hook, response, status and duration; a submission does not wait', async () => {
	const { id, hooks } = await subscribed(receiver.url);
	receiver.answerNext(503);
	receiver.answerAfter(300);
	const [envelope] = await playground.addResponses(id);
	assert.deepEqual(await playground.deliveries(), []);
	const [delivery] = await playground.delivered(1);
	const { durationMs, startedAt, id: _, ...rest } = delivery!;
	assert.deepEqual(rest, {
		hookId: hooks[0]!.id,
		formId: id,
		responseId: envelope!.data.responseId,
		targetUrl: receiver.url,
		status: 503,
		error: null,
	});
	assert.ok(durationMs >= 290);
	assert.ok(Math.abs(Date.parse(startedAt) - Date.now()) < 10_000);
});

test('a subscriber that is down or slow is an error in the log', async () => {
	const down = await startReceiver();
	down.close();
	await playground.settings({ deliveryTimeoutMs: 50 });
	receiver.answerAfter(500);
	const { id } = await subscribed(down.url, receiver.url);
	await playground.addResponses(id);
	const errors = (await playground.delivered(2)).map(({ error }) => error);
	assert.deepEqual(errors.sort(), ['ECONNREFUSED', 'no answer within 50 ms']);
});

test('a response is delivered again when asked, and only if asked', async () => {
	const { id } = await subscribed(receiver.url);
	const [envelope] = await playground.addResponses(id, { deliver: false });
	const path = `/responses/${envelope!.data.responseId}/deliver`;
	const { deliveries } = await playground.control('POST', path, { times: 2 });
	assert.deepEqual([deliveries.length, receiver.received.length], [2, 2]);
});

test('a response completed again is the same one, the newest now', async () => {
	const { id } = await subscribed(receiver.url);
	const [first] = await playground.addResponses(id, { count: 2, deliver: false });
	const path = `/responses/${first!.data.responseId}/complete`;
	const { response } = await playground.control('POST', path);
	const { completedAt } = response.data;
	const data = { ...first!.data, completedAt };
	assert.deepEqual(response, { ...first, createdAt: completedAt, data });
	await playground.delivered(1);
	assert.deepEqual(JSON.parse(receiver.received[0]!.body), response);
});

test('a delivery waits as long as the settings say', async () => {
	await playground.settings({ deliveryDelayMs: 300 });
	const { id } = await subscribed(receiver.url);
	const [made] = await playground.addResponses(id);
	const [delivery] = await playground.delivered(1);
	const lateMs = Date.parse(delivery!.startedAt) - Date.parse(made!.data.completedAt);
	assert.ok(lateMs >= 290, `${lateMs} ms`);
});

for (const [says, answers, tries] of [
	['an answer of 2xx', [503, 404, 204], [503, 404, 204]],
	['the end of the schedule', [503, 302, 500, 200], [503, 302, 500]],
	['an answer of 410', [503, 410, 200], [503, 410]],
] as const) {
	test(`a delivery is tried again until ${says}`, async () => {
		const settings = { deliveryRetriesSeconds: [0.1, 0.2], removalDropsDeliveries: false };
		await playground.settings(settings);
		const { id, hooks } = await subscribed(receiver.url);
		receiver.answerNext(...answers);
		await playground.addResponses(id);
		await playground.delivered(tries.length);
		await sleep(300);
		const deliveries = await playground.deliveries();
		assert.deepEqual(
			deliveries.map(({ status }) => status),
			tries,
		);
		const isGone = answers.includes(410 as never);
		assert.deepEqual(await playground.hooks(), isGone ? [] : hooks);
		const [first, second] = deliveries.map(({ startedAt }) => Date.parse(startedAt));
		assert.ok(second! - first! >= 90);
	});
}

for (const removalDropsDeliveries of [true, false]) {
	test(`what waits for delivery ${removalDropsDeliveries ? 'goes with' : 'outlives'} its hook`, async () => {
		const settings = { removalDropsDeliveries, deliveryRetriesSeconds: [0.2] };
		await playground.settings(settings);
		const { id, hooks } = await subscribed(receiver.url);
		receiver.answerNext(503);
		await playground.addResponses(id);
		await playground.delivered(1);
		await playground.settings({ deliveryDelayMs: 100 });
		await playground.addResponses(id);
		await playground.api('DELETE', `/hooks/${hooks[0]!.id}`, { token });
		await sleep(500);
		assert.equal(receiver.received.length, removalDropsDeliveries ? 1 : 3);
	});
}

test('a reset forgets what waits', async () => {
	await playground.settings({ deliveryDelayMs: 200 });
	const { id } = await subscribed(receiver.url);
	await playground.addResponses(id);
	await playground.reset();
	await playground.settings({ removalDropsDeliveries: false });
	await sleep(400);
	assert.equal(receiver.received.length, 0);
});
