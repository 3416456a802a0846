import { setTimeout as sleep } from 'node:timers/promises';
import { deliver as post } from '../../live/deliver.mts';
import { node } from '../../live/drafts.mts';
import type { Envelope } from '../../live/service.mts';
import { PEERS } from '../peers/install.mts';
import type { Stage } from '../stage/stage.mts';

type Json = Record<string, unknown>;

/** Enough to keep n8n busy all the time, for both triggers alike. */
const AT_ONCE = 10;
/** Recovery has read the newest responses by then. */
const SETTLING_MS = 6_000;

interface Trigger {
	workflowId: string;
	targetUrl: string;
}

async function publish(stage: Stage, type: string, parameters: Json) {
	const webhookId = crypto.randomUUID();
	const workflow = await stage.n8n.createWorkflow({
		name: `${type} ${webhookId}`,
		settings: { executionOrder: 'v1' },
		nodes: [node('Trigger', type, parameters, { credentials: stage.credentials, webhookId })],
		connections: {},
	});
	const { ok, message } = await stage.n8n.publish(workflow.id);
	if (!ok) throw new Error(`A workflow for ${type} could not be published: ${message}`);
	return { workflowId: workflow.id, targetUrl: `${stage.url}/webhook/${webhookId}/webhook` };
}

/** The node's trigger, at the address that it subscribed. */
export async function subscribed(stage: Stage, formId: string): Promise<Trigger> {
	const known = new Set((await stage.service.hooks()).map(({ targetUrl }) => targetUrl));
	const { workflowId } = await publish(stage, 'n8n-nodes-form-responses.formResponsesTrigger', {
		formId: { __rl: true, mode: 'id', value: formId },
	});
	const hook = (await stage.service.hooks()).find(({ targetUrl }) => !known.has(targetUrl));
	if (!hook) throw new Error('The trigger made no hook.');
	await sleep(SETTLING_MS);
	return { workflowId, targetUrl: hook.targetUrl };
}

export const bare = async (stage: Stage): Promise<Trigger> =>
	await publish(stage, `${PEERS}.passOnTrigger`, {});

/** The envelope as it would be for other responses, completed one after another. */
function responsesLike(envelope: Envelope, count: number): Envelope[] {
	const now = Date.now();
	return Array.from({ length: count }, (_, index) => {
		const completedAt = new Date(now + index).toISOString();
		const data = { ...envelope.data, responseId: crypto.randomUUID(), completedAt };
		return { ...envelope, createdAt: completedAt, data };
	});
}

/**
 * Delivers new responses and waits until each has been run with.
 *
 * @returns deliveries per second, from the first one sent to the end of the last execution
 */
export async function deliver(
	{ n8n }: Stage,
	{ workflowId, targetUrl }: Trigger,
	envelope: Envelope,
	count: number,
): Promise<number> {
	const after = await n8n.lastExecutionId(workflowId);
	const waiting = responsesLike(envelope, count);
	const startedAt = Date.now();
	async function worker() {
		for (let next = waiting.pop(); next; next = waiting.pop()) {
			const { status, text } = await post(targetUrl, next);
			if (status !== 200) throw new Error(`A delivery was answered ${status}: ${text}`);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	for (;;) {
		const executions = await n8n.executions({ workflowId, after });
		const ended = executions.filter(({ stoppedAt }) => stoppedAt);
		const failed = ended.find(({ status }) => status !== 'success');
		if (failed) throw new Error(`Execution ${failed.id} ended with ${failed.status}`);
		if (ended.length > count) throw new Error(`${ended.length} executions of ${count} deliveries`);
		if (ended.length === count) {
			const endedAt = Math.max(...ended.map(({ stoppedAt }) => Date.parse(stoppedAt!)));
			return count / ((endedAt - startedAt) / 1_000);
		}
		await sleep(200);
	}
}
