import assert from 'node:assert/strict';
import { codeNode } from '../live/drafts.mts';
import { eventually } from '../live/eventually.mts';
import { openLedger } from '../live/ledger.mts';
import type { Seeded } from '../live/seeded.mts';
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

/**
 * One published trigger, and what the faults and the plain time between them do with it.
 *
 * @param responses how many are completed among the faults
 */
export async function openWorld(deployment: Deployment, draw: Seeded, responses: number) {
	const { stage } = deployment;
	const { service } = stage;
	const form = await service.addForm('Contact');
	const workflow = await stage.addTriggerWorkflow(form.id, {}, [codeNode('Code', WIPE_IF_TOLD)]);
	const ledger = openLedger(stage, { formId: form.id, workflowId: workflow.id });
	// So that a machine under load loses no delivery which nothing tells the trigger of.
	await service.settings({ deliveryTimeoutMs: 60_000 });

	/** Those that deliver to this n8n, and not to a copy of it. */
	const hooks = async () =>
		(await service.hooks()).filter(({ targetUrl }) =>
			targetUrl.startsWith(`${stage.instance.url}/`),
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

	async function publish() {
		// The older engine gives up after the first failure.
		await eventually(async () => {
			assert.deepEqual(await stage.n8n.publish(workflow.id), { ok: true, message: '' });
		}, 60_000);
	}

	return {
		...deployment,
		draw,
		workflow,
		ledger,
		hooks,
		publish,
		submit,
		submitUpTo,
		wipeStaticData,
		isComplete: () => ledger.count === responses,

		async rePublish() {
			await stage.n8n.unpublish(workflow.id);
			await submitUpTo(10);
			await publish();
		},

		async loseHooks() {
			for (const { id } of await hooks()) await service.loseHook(id);
		},

		allRan: async () => await ledger.allRan(PATIENCE_MS),
		isSubscribed: async () =>
			await eventually(async () => assert.notEqual((await hooks()).length, 0), PATIENCE_MS),
	};
}

export type World = Awaited<ReturnType<typeof openWorld>>;
