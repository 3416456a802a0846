import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../kit/eventually.mts';
import { deliver } from '../kit/hook.mts';
import { publishGetNew } from '../kit/published-get-new.mts';
import {
	type PublishedTrigger,
	publishTrigger,
	slowNode,
	type TriggerOptions,
} from '../kit/published-trigger.mts';
import { PATIENCE_MS, useQueueMode } from '../kit/queue-mode.mts';
import { describeRestarts } from '../kit/shared-restarts.mts';
import { byId, codeNode } from '../kit/workflow-nodes.mts';
import { testRunsByHand } from '../kit/runs-by-hand.mts';

describe('queue mode', () => {
	const rig = useQueueMode();

	/** Waits until n8n's logs say of every run that a worker ran it, and who put it into the queue. */
	async function ranOnWorker(
		{ executions }: Pick<PublishedTrigger, 'executions'>,
		enqueuedBy: RegExp,
	) {
		for (const { id } of await executions()) {
			await eventually(async () => {
				const where = rig.cluster.whereRan(id);
				assert.match(where.ranBy.join(), /^worker2?$/, `execution ${id}`);
				assert.match(where.enqueuedBy.join(), enqueuedBy, `execution ${id}`);
			});
		}
	}

	const published = async (options?: TriggerOptions) => await publishTrigger(rig, options);

	describe('while all processes run', { concurrency: true }, () => {
		test('an API key is polled for in main, and its responses run on a worker', async () => {
			const form = await rig.service.addForm('Polled');
			await rig.service.addResponses(form.id, { count: 2 });
			const parameters = { authentication: 'apiKey', pollInterval: 1 };
			const trigger = await published({ form, parameters });
			// What the look shortly after the activation could bring must not be taken for a poll.
			await trigger.hasLooked();
			assert.deepEqual(await trigger.executions(), []);
			await trigger.complete(2);
			await trigger.ranAll(60_000 + PATIENCE_MS);
			await ranOnWorker(trigger, /^main$/);
			assert.deepEqual(await trigger.hooks(), []);
		});

		test('a response delivered three times, to both webhook processes, gives one item', async () => {
			const trigger = await published();
			await trigger.onlyHook();
			// So that only a delivery can start a run.
			await trigger.hasLooked();
			const [made] = await trigger.complete(1, { deliver: false });
			const deliveries = await rig.service.deliverAgain(made!.data.responseId, { times: 3 });
			assert.deepEqual(
				deliveries.map(({ status }) => status),
				[200, 200, 200],
			);
			await trigger.ranAll(PATIENCE_MS);
			await trigger.allEnded(PATIENCE_MS);
			await trigger.ranAll(0);
			await ranOnWorker(trigger, /^webhook[12]$/);
			await trigger.unpublishLeavesNoHook();
		});

		test('a response that is still running when recovery looks is not run again', async () => {
			const trigger = await published({ others: [slowNode(12_000)] });
			await trigger.complete(2);
			await trigger.ranNothingElse();
		});

		test('a delivered response costs one execution more, which tells main that it ran', async () => {
			const trigger = await published();
			await trigger.complete();
			await trigger.ranNothingElse();
			assert.equal((await trigger.executions()).length, 2);
		});

		test('Get New in production returns each response once', async () => {
			const form = await rig.service.addForm('Contact');
			await rig.service.addResponses(form.id, { count: 3 });
			const getNew = await publishGetNew(rig);
			const counts: number[] = [];
			for (const more of [0, 2, 0]) {
				if (more) await rig.service.addResponses(form.id, { count: more });
				counts.push((await getNew.run([form.id])).count);
			}
			assert.deepEqual(counts, [3, 2, 0]);
			await ranOnWorker(getNew, /^webhook[12]$/);
		});

		testRunsByHand(rig, 'main');
	});

	test('a delivery before the subscription is stored runs', async () => {
		const forms = await rig.service.addForms({ title: 'Early', count: 2 });
		const [one, other] = forms.map(({ id }) => id);
		const { id, nodes } = await rig.addTriggerWorkflow(one!);
		const second = {
			...nodes[0]!,
			id: crypto.randomUUID(),
			name: 'Second trigger',
			webhookId: crypto.randomUUID(),
			parameters: { formId: byId(other!) },
		};
		await rig.n8n.updateWorkflow(id, { nodes: [...nodes, second] });
		// n8n stores the subscriptions of a workflow when it has registered all of its triggers.
		await rig.service.addFault({
			match: { method: 'POST', path: '/hooks' },
			kind: 'delay',
			// Longer than the answer takes to a delivery that the live hook may make as well.
			ms: 12_000,
			skip: 1,
		});
		let isPublished = false;
		const publishing = rig.n8n.publish(id).finally(() => (isPublished = true));
		const [early] = await eventually(async () => {
			const hooks = (await rig.service.hooks()).filter(({ formId }) =>
				forms.some((form) => form.id === formId),
			);
			assert.equal(hooks.length, 1);
			return hooks;
		});
		const [made] = await rig.service.addResponses(early!.formId, { deliver: false });
		const { status } = await deliver(early!.targetUrl, made);
		const wasPublished = isPublished;
		assert.deepEqual(await publishing, { ok: true, message: '' });
		assert.deepEqual({ status, wasPublished }, { status: 200, wasPublished: false });
		// A look may have found it as well, and its run have put out nothing.
		const ran = async () =>
			[...(await rig.outputOf(id)), ...(await rig.outputOf(id, second.name))].map(
				({ responseId }) => responseId,
			);
		await eventually(async () => {
			assert.notDeepEqual(await ran(), []);
			const runs = await rig.n8n.executions({ workflowId: id });
			assert.ok(runs.every(({ stoppedAt }) => stoppedAt));
		}, PATIENCE_MS);
		assert.deepEqual(await ran(), [made!.data.responseId]);
	});

	describeRestarts('every process killed', rig, { crash: true }, (it) => {
		it('5 responses that were completed meanwhile run once each', async (restart) => {
			const trigger = await published();
			await trigger.complete(2);
			await trigger.ranAll(PATIENCE_MS);
			// A run of the look that is killed with its worker never ends there.
			await trigger.hasLooked();
			await trigger.endsAreRecorded();
			await restart(async () => await trigger.complete(5));
			await trigger.ranAll(PATIENCE_MS);
			await trigger.hasOneHook();
			await trigger.complete();
			await trigger.ranAll(PATIENCE_MS);
			await trigger.ranNothingElse();
			await ranOnWorker(trigger, /^(main|webhook[12])$/);
		});

		it('runs that write static data wipe what the trigger stored, and it goes on', async (restart) => {
			const writer = codeNode(
				'Code',
				'$getWorkflowStaticData("global").count = 1;\nreturn $input.all();',
			);
			const trigger = await published({ others: [writer] });
			await trigger.complete();
			await trigger.ranAll(PATIENCE_MS);
			await eventually(async () => {
				const { staticData } = await rig.n8n.workflow(trigger.workflow.id);
				assert.deepEqual(staticData, { global: { count: 1 } });
			});
			const slowly = { kind: 'delay', ms: 150, times: null } as const;
			await rig.service.addFault({ match: { method: 'GET', path: '/responses/' }, ...slowly });
			await rig.service.settings({ deliveryRetriesSeconds: [2, 4, 8] });
			await trigger.complete(70);
			await trigger.ranAll(PATIENCE_MS);
			await trigger.endsAreRecorded();
			await restart(async () => await trigger.complete(3));
			await trigger.ranAll(PATIENCE_MS);
			await trigger.ranNothingElse();
		});
	});

	test('main killed and started again: nothing lost, nothing twice', async () => {
		const trigger = await published({ others: [slowNode(6_000)] });
		const first = await trigger.onlyHook();
		await rig.cluster.killOne('main');
		await trigger.complete(3);
		let isStarting = true;
		const started = rig.cluster.startOne('main').finally(() => (isStarting = false));
		while (isStarting) {
			await trigger.complete();
			await sleep(2_000);
		}
		await started;
		const startedAt = Date.now();
		assert.deepEqual(await trigger.onlyHook(), first);
		await trigger.complete();
		await trigger.ranAll(PATIENCE_MS);
		await trigger.hasLooked(undefined, startedAt);
		await trigger.ranAll(0);
		await trigger.unpublishLeavesNoHook();
	});
});
