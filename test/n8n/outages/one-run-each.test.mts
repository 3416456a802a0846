import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { completeWithOneFailing, eachRanAlone, FAILING, responseIn } from '../kit/one-run-each.mts';
import { publishTrigger, slowNode, type PublishedTrigger } from '../kit/published-trigger.mts';
import { codeNode } from '../kit/workflow-nodes.mts';

const MINUTE = 60_000;

describeEngines('each response in its own run', {}, (rig) => {
	test('of 25 that a start found, one fails, and Retry runs that one', async () => {
		const trigger = await publishTrigger(rig, { others: [FAILING] });
		const whileDown = async () => await completeWithOneFailing(trigger, 25);
		const failing = await rig.restart({ whileDown });
		await trigger.ranAll(MINUTE);
		const failed = await eachRanAlone(rig, trigger, failing);

		const { nodes } = await rig.n8n.workflow(trigger.workflow.id);
		const { parameters } = codeNode('Mended', 'return [];');
		Object.assign(nodes.find(({ name }) => name === FAILING.name)!, { parameters });
		await rig.n8n.updateWorkflow(trigger.workflow.id, { nodes });
		await rig.n8n.retry(failed);
		await eventually(async () => {
			const [latest] = await trigger.executions();
			assert.deepEqual([latest!.mode, latest!.status], ['retry', 'success']);
			assert.equal(await responseIn(rig, latest!.id), failing.data.responseId);
		});
	});

	test('of 12 that a poll found, one fails', async () => {
		const parameters = { authentication: 'apiKey', pollInterval: 1 };
		const trigger = await publishTrigger(rig, { others: [FAILING], parameters });
		await trigger.hasLooked();
		const failing = await completeWithOneFailing(trigger, 12);
		await trigger.ranAll(3 * MINUTE);
		await eachRanAlone(rig, trigger, failing);
		// Nothing else can have them, so the poll asked nothing.
		assert.equal((await trigger.executions()).length, trigger.made.length);
	});
});

const RUN_MS = 4_000;
const MARGIN_MS = 750;

/** Some run, and none is about to end or has just ended: such a run may run again (docs/reliability.md, limits). */
async function isInTheMiddle({ executions }: PublishedTrigger) {
	const running = (await executions()).filter(({ status }) => status === 'running');
	const ages = running.map(({ startedAt }) => Date.now() - Date.parse(startedAt ?? ''));
	assert.ok(ages.length > 0 && ages.every((ms) => ms > MARGIN_MS && ms < RUN_MS - MARGIN_MS));
}

const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' };
describeEngines('each response in its own run, whatever ends n8n', { env }, (rig) => {
	test('n8n killed twice in the middle of 25 runs, two at a time', async () => {
		const trigger = await publishTrigger(rig, { others: [slowNode(RUN_MS)] });
		await rig.restart({ whileDown: async () => await trigger.complete(25) });
		for (let kill = 0; kill < 2; kill++) {
			await eventually(async () => assert.ok((await trigger.executions()).length > 2), MINUTE);
			await sleep(RUN_MS);
			await eventually(async () => await isInTheMiddle(trigger), MINUTE);
			await rig.restart({ crash: true });
		}
		await trigger.ranAll(4 * MINUTE);
		await trigger.ranNothingElse();
	});
});
