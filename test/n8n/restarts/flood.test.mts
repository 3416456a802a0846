import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeEngines } from '../kit/describe-engines.mts';
import { deliver, forgedKeys } from '../kit/hook.mts';
import { publishTrigger } from '../kit/published-trigger.mts';

const SENDERS = 50;
const MADE_UP = 1_500;
const REAL = 40;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Requests about deliveries, in any minute. */
const MAY_COST = 40;
/** A look may bring what a hook brings too, and its run outputs nothing then. */
const LOOKS = 3;

/** The most that came within a minute. */
const mostInAMinute = (times: number[]) =>
	Math.max(0, ...times.map((end) => times.filter((at) => at <= end && at > end - MINUTE).length));

describeEngines(`${MADE_UP} made-up deliveries by ${SENDERS} senders`, {}, (rig) => {
	test('start nothing, cost few requests, and keep no real one out', async (context) => {
		const { service } = rig;
		const trigger = await publishTrigger(rig);
		const [real] = await trigger.complete();
		await trigger.ranAll();
		const { targetUrl } = await trigger.onlyHook();
		await service.forgetRequests();
		let left = MADE_UP;

		async function send(url: string) {
			while (left-- > 0) {
				const completedAt = new Date().toISOString();
				const data = { ...real!.data, responseId: randomUUID(), completedAt };
				await deliver(url, { ...real, data });
			}
		}
		const begunAt = Date.now();
		const sent = Promise.all(forgedKeys(targetUrl, SENDERS).map(send));
		for (let count = 0; count < REAL; count++) {
			await trigger.complete();
			await sleep(SECOND);
		}
		await sent;
		const asked = (await service.requests()).filter(({ path }) => path.startsWith('/responses/'));
		const most = mostInAMinute(asked.map(({ at }) => Date.parse(at)));
		context.diagnostic(
			`${Date.now() - begunAt} ms, ${asked.length} asked about, ${most} in a minute`,
		);
		assert.ok(most <= MAY_COST, `${most} requests in a minute`);
		await trigger.ranNothingElse();
		const runs = (await trigger.executions()).length;
		const { length } = trigger.made;
		assert.ok(runs <= length + LOOKS, `${runs} runs of ${length} responses`);
		await trigger.unpublishLeavesNoHook();
	});
});
