import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.mts';
import { idsOf } from './published-trigger.mts';
import { PATIENCE_MS, type QueueMode } from './queue-mode.mts';
import { ACTION } from './workflow-nodes.mts';

const atMain = { enqueuedBy: [], startedBy: [], ranBy: [] };

/** What somebody starts by hand in the editor, which n8n runs in main, or on a worker. */
export function testRunsByHand(rig: QueueMode, place: 'main' | 'worker') {
	async function assertRanThere(id: string) {
		const whereRan = () => rig.cluster.whereRan(id);
		if (place === 'main') assert.deepEqual(whereRan(), atMain);
		else await eventually(async () => assert.match(whereRan().ranBy.join(), /^worker2?$/));
	}

	describe('runs by hand', { concurrency: true }, () => {
		for (const testWith of ['new', 'latest']) {
			test(`a test event (${testWith}) runs on ${place} and leaves no hook`, async () => {
				const form = await rig.service.addForm('Contact');
				const earlier = await rig.service.addResponses(form.id, { count: 2 });
				const workflow = await rig.addTriggerWorkflow(form.id, { testWith });
				const run = await rig.testTrigger(workflow.id);
				assert.equal(run.waitingForWebhook, true);
				await sleep(1_000);
				const later = testWith === 'new' ? await rig.service.addResponses(form.id) : earlier;
				await eventually(async () => {
					const ids = (await rig.outputOf(workflow.id)).map(({ responseId }) => responseId);
					assert.deepEqual(ids, idsOf(later.slice(-1)));
				}, PATIENCE_MS);
				const runs = await rig.n8n.executions({ workflowId: workflow.id });
				for (const { id } of runs) await assertRanThere(id);
				await eventually(async () => assert.deepEqual(await rig.service.hooksOf(form.id), []));
			});
		}

		test(`actions run on ${place}, and one that fails says why`, async () => {
			const form = await rig.service.addForm('Contact');
			const [made] = await rig.service.addResponses(form.id);
			const get = { operation: 'get', responseId: '={{ $json.id }}' };
			const execution = await rig.runAction(get, [{ id: made!.data.responseId }]);
			const [item] = rig.n8n.nodeOutput(execution, ACTION);
			assert.equal(item!.json.responseId, made!.data.responseId);
			await assertRanThere(execution.id);
			assert.match(await rig.actionFailure(get, [{ id: 'x' }]), /"Response ID" is "x"/);
		});
	});
}
