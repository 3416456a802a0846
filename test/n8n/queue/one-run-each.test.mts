import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../kit/eventually.mts';
import { publishCompared } from '../kit/lost-or-twice.mts';
import { completeWithOneFailing, eachRanAlone, FAILING } from '../kit/one-run-each.mts';
import { publishTrigger, slowNode } from '../kit/published-trigger.mts';
import { useQueueMode } from '../kit/queue-mode.mts';

const MINUTE = 60_000;
/** Until the next look has found something, and it is overdue. */
const LOOK_MS = 3 * MINUTE;

describe('queue mode with two workers: what a look found', () => {
	const rig = useQueueMode();

	test('is asked about in one run, and of 12 runs one fails', async () => {
		const trigger = await publishTrigger(rig, { others: [FAILING] });
		await trigger.hasLooked();
		const failing = await completeWithOneFailing(trigger, 12, { deliver: false });
		await trigger.ranAll(LOOK_MS);
		await eachRanAlone(rig, trigger, failing);
		assert.equal((await trigger.executions()).length, trigger.made.length + 1);
		await trigger.unpublish();
	});

	test('runs once each, though a worker and then main are killed in the middle', async () => {
		const trigger = await publishCompared(rig, { others: [slowNode(6_000)] });
		await trigger.complete(12, { deliver: false });
		const isUnderWay = async () => assert.ok((await trigger.executions()).length > 8);
		await eventually(isUnderWay, LOOK_MS, 1_000);
		await rig.cluster.killOne('worker');
		rig.killedAt = Date.now();
		await rig.cluster.killOne('main');
		await rig.cluster.startOne('worker');
		await rig.cluster.startOne('main');
		await trigger.noneIsLost(5 * MINUTE);
		await trigger.allEnded(3 * MINUTE);
		await trigger.noneIsLostOrTwice();
		await trigger.unpublish();
	});
});
