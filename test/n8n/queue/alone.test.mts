import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { completeWithOneFailing, FAILING, onlyOneFailed, ranAlone } from '../kit/one-run-each.mts';
import type { Cluster } from '../kit/queue-mode.mts';
import { openQueue, type Queue } from '../kit/queue-mode.mts';
import { eventually } from '../kit/eventually.mts';
import { publishWithLedger } from '../kit/lost-or-twice.mts';
import { publishTrigger, slowNode } from '../kit/published-trigger.mts';
import type { Rig } from '../kit/test-rig.mts';

const MINUTE_MS = 60_000;
/** Until the next look has found something, and it is overdue. */
const LOOK_MS = 3 * MINUTE_MS;

describe('queue mode with two workers: what a look found', () => {
	let cluster: Cluster;
	let rig: Rig;
	let close: Queue['close'];
	before(async () => void ({ cluster, rig, close } = await openQueue()));
	after(async () => await close?.());

	test('is asked about in one run, and of 12 runs one fails', async () => {
		const trigger = await publishTrigger(rig, { others: [FAILING] });
		await trigger.hasLooked();
		const { made, failing } = await completeWithOneFailing(trigger, 12, { deliver: false });
		await trigger.ranOnceEach(made, LOOK_MS);
		await trigger.allEnded();
		await ranAlone(rig, trigger, made);
		await onlyOneFailed(rig, trigger, failing);
		assert.equal((await trigger.executions()).length, made.length + 1);
		await trigger.unpublish();
	});

	test('runs once each, though a worker and then main are killed in the middle', async () => {
		const { trigger, ledger } = await publishWithLedger(rig, { others: [slowNode(6_000)] });
		await trigger.hasLooked();
		await ledger.submit(12, { deliver: false });
		const isUnderWay = async () => assert.ok((await trigger.executions()).length > 8);
		await eventually(isUnderWay, LOOK_MS, 1_000);
		await cluster.killOne('worker');
		rig.killedAt = Date.now();
		await cluster.killOne('main');
		await cluster.startOne('worker');
		await cluster.startOne('main');
		await ledger.allRan(5 * MINUTE_MS);
		await trigger.allEnded(3 * MINUTE_MS);
		assert.deepEqual(await ledger.balance(), { lost: [], twice: [] });
		await trigger.unpublish();
	});
});
