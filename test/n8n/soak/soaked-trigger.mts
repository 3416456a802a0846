import type { Workflow } from '../../../playground/n8n/types.mts';
import type { Envelope } from '../../../playground/service/client.mts';
import { eventually } from '../kit/eventually.mts';
import { comparisonOf } from '../kit/lost-or-twice.mts';
import { publishWebhook } from '../kit/published-webhook.mts';
import type { Rig } from '../kit/real-n8n.mts';
import { codeNode } from '../kit/workflow-nodes.mts';
import type { Deployment } from './deployment.mts';
import type { Draw } from './random-draws.mts';

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

	// The older engine gives up after the first failure.
	const publish = async () => await eventually(async () => await rig.publish(id), 60_000);

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
export async function openSoaked(deployment: Deployment, draw: Draw, responses: number) {
	const { rig } = deployment;
	const { service } = rig;
	const form = await service.addForm('Contact');
	const workflow = await rig.addTriggerWorkflow(form.id, {}, [codeNode('Code', WIPE_IF_TOLD)]);
	const made: Envelope[] = [];
	const comparison = comparisonOf(rig, { made, workflow });
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

	async function complete(count = 1, how = {}) {
		if (count > 0) made.push(...(await service.addResponses(form.id, { count, ...how })));
	}

	/** Completes so many responses, and fewer when all are nearly completed. */
	const submit = async (most = LARGEST_BURST, how = {}) =>
		await complete(Math.min(most, responses - made.length), how);
	const submitUpTo = async (most: number) => await submit(draw.upTo(most));

	const publishing = publishingOf(rig, workflow);

	return {
		...deployment,
		...comparison,
		...publishing,
		draw,
		workflow,
		made,
		webhook,
		hooks,
		complete,
		submit,
		submitUpTo,
		/** The run of this response writes static data. */
		wipeStaticData: async () => await submit(1, { respondentEmail: WIPES }),

		async rePublish() {
			await rig.n8n.unpublish(workflow.id);
			await submitUpTo(10);
			await publishing.publish();
		},

		async loseHooks() {
			for (const { id } of await hooks()) await service.loseHook(id);
		},

		isComplete: () => made.length === responses,
		allRan: async () => await comparison.noneIsLost(PATIENCE_MS),
	};
}

export type Soaked = Awaited<ReturnType<typeof openSoaked>>;
