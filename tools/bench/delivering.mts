import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '../../playground/service/client.mts';
import { deliver } from '../../test/n8n/kit/hook.mts';
import { publishTrigger } from '../../test/n8n/kit/published-trigger.mts';
import { openQueueMode } from '../../test/n8n/kit/queue-mode.mts';
import type { Rig } from '../../test/n8n/kit/real-n8n.mts';
import { node } from '../../test/n8n/kit/workflow-nodes.mts';
import { PEERS, withPeers } from './rig.mts';
import { ratio, rowOf, type Bar, type Row } from './row.mts';

/** Enough to keep n8n busy all the time, for both triggers alike. */
const AT_ONCE = 10;
/** By then the trigger has read the newest responses. */
const SETTLING_MS = 6_000;
const DELIVERIES = 200;
/** More than two workers remember together. The trigger's store is slowest, and stays as slow, once memory is full. */
const FILLS_MEMORY = 600;

const NODE = 'Form Responses Trigger';
const BARE = 'bare trigger';

type Target = Record<'id' | 'url', string>;

/** Delivers new responses, each completed later than the one before, and waits until all have run. */
async function deliverAll({ n8n }: Rig, { id, url }: Target, like: Envelope, count: number) {
	const after = await n8n.lastExecutionId(id);
	const startedAt = Date.now();
	const waiting = Array.from({ length: count }, (_, index) => {
		const completedAt = new Date(startedAt + index).toISOString();
		const data = { ...like.data, responseId: crypto.randomUUID(), completedAt };
		return { ...like, createdAt: completedAt, data };
	}).values();
	/** Side by side they take the next one from the same iterator. */
	async function deliverNext() {
		for (const next of waiting) {
			const { status, text } = await deliver(url, next);
			assert.equal(status, 200, text);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, deliverNext));
	const ended = await n8n.waitForExecutions(id, { count, after, timeoutMs: 120_000 });
	assert.equal(ended.filter(({ status }) => status === 'success').length, count);
	const endedAt = Math.max(...ended.map(({ stoppedAt }) => Date.parse(stoppedAt!)));
	return { 'per second': count / ((endedAt - startedAt) / 1_000) };
}

async function triggers(rig: Rig) {
	const form = await rig.service.addForm('Contact');
	// Before the trigger is there, which would find it missing.
	const like = (await rig.service.addResponses(form.id, { deliver: false }))[0]!;
	const { workflow, onlyHook } = await publishTrigger(rig, { form });
	const trigger = { id: workflow.id, url: (await onlyHook()).targetUrl };

	const webhookId = crypto.randomUUID();
	const passOn = node(BARE, `${PEERS}.passOnTrigger`, {}, { webhookId });
	const { id } = await rig.addWorkflow([passOn]);
	await rig.publish(id);
	const bare = { id, url: `${rig.instance.url}/webhook/${webhookId}/webhook` };

	await sleep(SETTLING_MS);
	await deliverAll(rig, trigger, like, FILLS_MEMORY);
	return {
		[NODE]: () => deliverAll(rig, trigger, like, DELIVERIES),
		[BARE]: () => deliverAll(rig, bare, like, DELIVERIES),
	};
}

const comparisonOf = (bar: Bar, row: Pick<Row, 'title' | 'how' | 'open'>) =>
	rowOf({
		...row,
		counted: 15,
		runs: triggers,
		checks: ({ [NODE]: ours, [BARE]: bare }) => ({
			'vs bare trigger': [ratio(ours['per second'], bare['per second']), bar],
		}),
	});

export const deliveries = comparisonOf('≥0.97×', {
	title: 'Deliveries',
	how: `${DELIVERIES} deliveries, ${AT_ONCE} at once, from the first one sent to the end of the last execution; peer: a trigger that only passes data on (n8n treats its own Webhook node specially). ${FILLS_MEMORY} earlier deliveries have filled the trigger's memory.`,
});

export const queueDeliveries = comparisonOf('≥0.93×', {
	title: 'Deliveries, queue mode',
	how: 'As for deliveries, with main, two webhook processes, two workers, Redis and PostgreSQL, all on this machine.',
	open: () => openQueueMode(withPeers),
});
