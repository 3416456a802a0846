import assert from 'node:assert/strict';
import { eventually } from '../e2e/eventually.mts';
import type { Envelope } from '../e2e/service.mts';
import type { Stage } from '../e2e/stage.mts';
import type { Cluster } from './cluster.mts';

/** Longer than the trigger takes after a start to look for what was missed, and to run it. */
export const RECOVERY_MS = 12_000;
/** All processes may have to share two cores. */
export const PATIENCE_MS = 90_000;

export const idsOf = (responses: Envelope[]) => responses.map(({ data }) => data.responseId).sort();

/** Posts to a hook's target, as the service or an intruder does; gives the status of the answer. */
export async function deliver(targetUrl: string, body: unknown) {
	const response = await fetch(targetUrl, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
	await response.text();
	return response.status;
}

/** What the tests of queue mode do and look at again and again. */
export function setScene(cluster: Cluster, stage: Stage) {
	const hooksOf = async (formId: string) =>
		(await stage.service.hooks()).filter((hook) => hook.formId === formId);

	const ranIds = async (workflowId: string) =>
		(await stage.outputOf(workflowId)).map(({ responseId }) => String(responseId)).sort();

	const runsOf = async (workflowId: string) => await stage.n8n.executions({ workflowId });

	const allEnded = async (workflowId: string) =>
		await eventually(async () => {
			const unfinished = (await runsOf(workflowId)).filter(({ stoppedAt }) => !stoppedAt);
			assert.deepEqual(unfinished, []);
		}, PATIENCE_MS);

	const hasRun = async (workflowId: string, responses: Envelope[], withinMs = PATIENCE_MS) =>
		await eventually(
			async () => assert.deepEqual(await ranIds(workflowId), idsOf(responses)),
			withinMs,
		);

	/** @param code what each run does after the trigger, in a Code node, before it waits */
	async function publishedTrigger({ parameters = {}, runMs = 0, code = '' } = {}) {
		const form = await stage.service.addForm('Contact');
		const pause = `await new Promise((resolve) => setTimeout(resolve, ${runMs}));`;
		const jsCode = `${code}\n${runMs ? pause : ''}\nreturn $input.all();`;
		const node = stage.node('Code', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 });
		const others = code || runMs ? [node] : [];
		const workflow = await stage.addTriggerWorkflow(form.id, parameters, others);
		assert.deepEqual(await stage.n8n.publish(workflow.id), { ok: true, message: '' });
		return { form, workflow };
	}

	async function assertRanOnWorker(workflowId: string, enqueuedBy: RegExp) {
		for (const { id } of await runsOf(workflowId)) {
			await eventually(async () => {
				const where = cluster.whereRan(id);
				assert.match(where.ranBy.join(), /^worker2?$/, `execution ${id}`);
				assert.match(where.enqueuedBy.join(), enqueuedBy, `execution ${id}`);
			});
		}
	}

	return { hooksOf, ranIds, runsOf, allEnded, hasRun, publishedTrigger, assertRanOnWorker };
}

export type Scene = ReturnType<typeof setScene>;
