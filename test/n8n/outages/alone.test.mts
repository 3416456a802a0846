import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivationEngine } from '../../../playground/n8n/environment.mts';
import type { Envelope } from '../../../playground/service/client.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { completeWithOneFailing, FAILING, onlyOneFailed, ranAlone } from '../kit/one-run-each.mts';
import { codeNode, TRIGGER } from '../kit/workflow-nodes.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { publishTrigger, slowNode } from '../kit/published-trigger.mts';
import { openRig, type Rig } from '../kit/test-rig.mts';

const MINUTE = 60_000;

const POLLING = { authentication: 'apiKey', pollInterval: 1 };

function withFailures(engine: ActivationEngine) {
	let rig: Rig;
	before(async () => void (rig = await openRig({ engine })));
	after(async () => await rig?.close());

	test('of 25 that a start found, one fails, and Retry runs that one', async () => {
		const trigger = await publishTrigger(rig, { others: [FAILING] });
		let missed = { made: [] as Envelope[], failing: {} as Envelope };
		const whileDown = async () => void (missed = await completeWithOneFailing(trigger, 25));
		await rig.restart({ whileDown });
		await trigger.ranOnceEach(missed.made, MINUTE);
		await trigger.allEnded();
		await ranAlone(rig, trigger, missed.made);
		const { id } = await onlyOneFailed(rig, trigger, missed.failing);

		const { nodes } = await rig.n8n.workflow(trigger.workflow.id);
		nodes.find(({ name }) => name === FAILING.name)!.parameters = codeNode(
			'',
			'return [];',
		).parameters;
		await rig.n8n.updateWorkflow(trigger.workflow.id, { nodes });
		await rig.n8n.retry(id);
		await eventually(async () => {
			const [latest] = await trigger.executions();
			assert.deepEqual([latest!.mode, latest!.status], ['retry', 'success']);
			const execution = await rig.n8n.execution(latest!.id);
			const [{ json }] = rig.n8n.nodeOutput(execution, TRIGGER) as [{ json: object }];
			assert.equal(Reflect.get(json, 'responseId'), missed.failing.data.responseId);
		});
	});

	test('of 12 that a poll found, one fails', async () => {
		const trigger = await publishTrigger(rig, { others: [FAILING], parameters: POLLING });
		await trigger.hasLooked();
		const { made, failing } = await completeWithOneFailing(trigger, 12);
		await trigger.ranOnceEach(made, 3 * MINUTE);
		await trigger.allEnded();
		await ranAlone(rig, trigger, made);
		await onlyOneFailed(rig, trigger, failing);
		// Nothing else can have them, so the poll asked nothing.
		assert.equal((await trigger.executions()).length, made.length);
	});
}

function killedTwice(engine: ActivationEngine) {
	let rig: Rig;
	const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' };
	before(async () => void (rig = await openRig({ engine, env })));
	after(async () => await rig?.close());

	test('n8n killed twice in the middle of 25 runs, two at a time', async () => {
		const trigger = await publishTrigger(rig, { others: [slowNode(4_000)] });
		let missed: Envelope[] = [];
		await rig.restart({ whileDown: async () => void (missed = await trigger.complete(25)) });
		for (let kill = 0; kill < 2; kill++) {
			await eventually(async () => assert.ok((await trigger.executions()).length > 2), MINUTE);
			await sleep(6_000);
			await rig.restart({ crash: true });
		}
		await trigger.ranOnceEach(missed, 4 * MINUTE);
		await trigger.ranNothingElse(missed);
	});
}

describeEngines('each response in its own run', withFailures, {
	skip: needsOwnN8n,
});
describeEngines('each response in its own run, whatever ends n8n', killedTwice, {
	skip: needsOwnN8n,
});
