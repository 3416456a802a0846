import assert from 'node:assert/strict';
import { codeNode } from '../kit/workflow-nodes.mts';
import { eventually } from '../kit/eventually.mts';
import { openLedger } from '../kit/lost-or-twice.mts';
import type { Workflow } from '../../../playground/n8n/types.mts';
import type { Seeded } from './random-draws.mts';
import type { Rig } from '../kit/test-rig.mts';
import { publishWebhook } from '../kit/published-webhook.mts';
import type { Deployment } from './deployment.mts';

/** A run that writes static data may wipe what the trigger stored. */
const WIPES = 'wipe@example.com';
const WIPE_IF_TOLD = [
	`const isTold = $input.all().some(({ json }) => json.respondentEmail === '${WIPES}');`,
	'if (isTold) $getWorkflowStaticData("global").wipedAt = Date.now();',
	'return $input.all();',
].join('\n');

/** The API shows the newest 25, so no more than these may be undelivered before the trigger looks. */
const LARGEST_BURST = 20;
/** A lost hook shows at the second look, a minute after the first one. */
const PATIENCE_MS = 4 * 60_000;

function publishingOf(rig: Rig, { id }: Workflow) {
	let answerKeys = 'label';

	async function publish() {
		// The older engine gives up after the first failure.
		await eventually(async () => {
			assert.deepEqual(await rig.n8n.publish(id), { ok: true, message: '' });
		}, 60_000);
	}

	/** Another one each time. */
	async function publishOption() {
		answerKeys = answerKeys === 'label' ? 'fieldId' : 'label';
		await rig.changeOptions(id, { answerKeys });
		await publish();
	}

	return { publish, publishOption };
}

/**
 * One published trigger, and what the faults and the plain time between them do with it.
 *
 * @param responses how many are completed among the faults
 */
export async function openWorld(deployment: Deployment, draw: Seeded, responses: number) {
	const { rig } = deployment;
	const { service } = rig;
	const form = await service.addForm('Contact');
	const workflow = await rig.addTriggerWorkflow(form.id, {}, [codeNode('Code', WIPE_IF_TOLD)]);
	const ledger = openLedger(rig, { formId: form.id, workflowId: workflow.id });
	// So that a machine under load loses no delivery which nothing tells the trigger of.
	const removalDropsDeliveries = draw.below(2) < 1;
	await service.settings({ deliveryTimeoutMs: 60_000, removalDropsDeliveries });
	/** The simplest thing that could do the trigger's job, on the same form. */
	const webhook = await publishWebhook(rig, service, form);

	/** Those of the trigger that deliver to this n8n, and not to a copy of it. */
	const hooks = async () =>
		(await service.hooks()).filter(
			({ id, targetUrl }) => id !== webhook.hook.id && targetUrl.startsWith(`${rig.instance.url}/`),
		);

	/** Completes so many responses, and fewer when all are nearly completed. */
	async function submit(most = LARGEST_BURST) {
		const count = Math.min(most, responses - ledger.count);
		if (count > 0) await ledger.submit(count);
	}

	/** The run of this response writes static data. */
	async function wipeStaticData() {
		if (ledger.count < responses) await ledger.submit(1, { respondentEmail: WIPES });
	}

	const submitUpTo = async (most: number) => await submit(draw.upTo(most));

	const { publish, publishOption } = publishingOf(rig, workflow);

	return {
		...deployment,
		draw,
		workflow,
		ledger,
		webhook,
		hooks,
		publish,
		publishOption,
		submit,
		submitUpTo,
		wipeStaticData,

		async rePublish() {
			await rig.n8n.unpublish(workflow.id);
			await submitUpTo(10);
			await publish();
		},

		async loseHooks() {
			for (const { id } of await hooks()) await service.loseHook(id);
		},

		isComplete: () => ledger.count === responses,
		allRan: async () => await ledger.allRan(PATIENCE_MS),
	};
}

export type World = Awaited<ReturnType<typeof openWorld>>;
