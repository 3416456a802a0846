import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCluster } from '../../test/n8n/kit/queue-mode.mts';
import { missingPrograms } from '../../test/n8n/kit/programs.mts';
import { deliver } from '../../test/n8n/kit/hook.mts';
import { node } from '../../test/n8n/kit/workflow-nodes.mts';
import { publishTrigger } from '../../test/n8n/kit/published-trigger.mts';
import type { Envelope } from '../../playground/service/client.mts';
import type { Rig } from '../../test/n8n/kit/test-rig.mts';
import { ratio, type Row } from './row.mts';
import { openBenchStage, PEERS } from './stage.mts';

/** Enough to keep n8n busy all the time, for both triggers alike. */
const AT_ONCE = 10;
/** Recovery has read the newest responses by then. */
const SETTLING_MS = 6_000;
const DELIVERIES = 200;
/** More than two workers together remember; only then does the trigger's store cost what it costs for good. */
const FILLS_MEMORY = 600;

const NODE = 'Form Responses Trigger';
const BARE = 'bare trigger';

type Target = Record<'id' | 'url', string>;

/** Delivers new responses, completed one after another, and waits until each has been run with. */
async function deliverAll({ n8n }: Rig, { id, url }: Target, like: Envelope, count: number) {
	const after = await n8n.lastExecutionId(id);
	const startedAt = Date.now();
	const waiting = Array.from({ length: count }, (_, index) => {
		const completedAt = new Date(startedAt + index).toISOString();
		const data = { ...like.data, responseId: crypto.randomUUID(), completedAt };
		return { ...like, createdAt: completedAt, data };
	});
	async function worker() {
		for (let next = waiting.pop(); next; next = waiting.pop()) {
			const { status, text } = await deliver(url, next);
			assert.equal(status, 200, text);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	const ended = await n8n.waitForExecutions(id, { count, after, timeoutMs: 120_000 });
	assert.equal(ended.filter(({ status }) => status === 'success').length, count);
	const endedAt = Math.max(...ended.map(({ stoppedAt }) => Date.parse(stoppedAt!)));
	return { 'per second': count / ((endedAt - startedAt) / 1_000) };
}

async function triggers(stage: Rig) {
	const { n8n, service, instance } = stage;
	const form = await service.addForm('Contact');
	// Before the trigger is there, which would find it missing.
	const [like] = await service.addResponses(form.id, { deliver: false });
	const { workflow, onlyHook } = await publishTrigger(stage, { form });
	const trigger = { id: workflow.id, url: (await onlyHook()).targetUrl };
	const webhookId = crypto.randomUUID();
	const nodes = [node('Trigger', `${PEERS}.passOnTrigger`, {}, { webhookId })];
	const { id } = await n8n.createWorkflow({ name: BARE, nodes, connections: {} });
	const { ok, message } = await n8n.publish(id);
	const bare = { id, url: `${instance.url}/webhook/${webhookId}/webhook` };
	assert.ok(ok, message);

	await sleep(SETTLING_MS);
	await deliverAll(stage, trigger, like, FILLS_MEMORY);
	return {
		[NODE]: () => deliverAll(stage, trigger, like, DELIVERIES),
		[BARE]: () => deliverAll(stage, bare, like, DELIVERIES),
	};
}

const comparison = (atLeast: number): Pick<Row, 'counted' | 'runs' | 'checks'> => ({
	counted: 15,
	runs: triggers,
	checks({ [NODE]: ours, [BARE]: bare }) {
		const value = ratio(ours['per second'], bare['per second']);
		return [{ what: 'vs bare trigger', value, bar: ['at least', atLeast] }];
	},
});

export const deliveries: Row = {
	title: 'Deliveries',
	how: `${DELIVERIES} deliveries, ${AT_ONCE} at once, from the first one sent to the end of the last execution; peer: a trigger that only passes data on (n8n treats its own Webhook node specially). ${FILLS_MEMORY} earlier deliveries have filled the trigger's memory.`,
	...comparison(0.97),
};

export const queueDeliveries: Row = {
	title: 'Deliveries, queue mode',
	how: 'As for deliveries, with main, two webhook processes, two workers, Redis and PostgreSQL, all on this machine.',
	async open() {
		const missing = missingPrograms();
		if (missing) throw new Error(missing);
		const cluster = await openCluster();
		const stage = await openBenchStage(cluster.start);
		const close = async () => void (await stage.close(), await cluster.close());
		return { ...stage, close };
	},
	...comparison(0.93),
};
