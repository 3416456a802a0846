import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivationEngine } from '../../../playground/n8n/environment.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { deliver } from '../kit/hook.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { forgedKeys } from '../kit/hook.mts';
import { publishTrigger } from '../kit/published-trigger.mts';
import { openRig, type Rig } from '../kit/test-rig.mts';

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

function scenariosOf(engine: ActivationEngine) {
	let rig: Rig;
	before(async () => void (rig = await openRig({ engine })));
	after(async () => await rig?.close());

	test('start nothing, cost few requests, and keep no real one out', async (context) => {
		const { service } = rig;
		const trigger = await publishTrigger(rig);
		const real = await trigger.complete();
		await trigger.ranOnceEach(real);
		const { targetUrl } = await trigger.onlyHook();
		await service.forgetRequests();
		let left = MADE_UP;

		async function send(url: string) {
			while (left-- > 0) {
				const completedAt = new Date().toISOString();
				const data = { ...real[0]!.data, responseId: randomUUID(), completedAt };
				await deliver(url, { ...real[0], data });
			}
		}
		const begunAt = Date.now();
		const sent = Promise.all(forgedKeys(targetUrl, SENDERS).map(send));
		for (let count = 0; count < REAL; count++) {
			real.push(...(await trigger.complete()));
			await sleep(SECOND);
		}
		await sent;
		const asked = (await service.requests()).filter(({ path }) => path.startsWith('/responses/'));
		const most = mostInAMinute(asked.map(({ at }) => Date.parse(at)));
		context.diagnostic(
			`${Date.now() - begunAt} ms, ${asked.length} asked about, ${most} in a minute`,
		);
		assert.ok(most <= MAY_COST, `${most} requests in a minute`);
		await trigger.ranNothingElse(real);
		const runs = (await trigger.executions()).length;
		assert.ok(runs <= real.length + LOOKS, `${runs} runs of ${real.length} responses`);
		await trigger.unpublishLeavesNoHook();
	});
}

describeEngines(`${MADE_UP} made-up deliveries by ${SENDERS} senders`, scenariosOf, {
	skip: needsOwnN8n,
});
