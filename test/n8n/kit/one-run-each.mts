import assert from 'node:assert/strict';
import type { Envelope } from '../../../playground/service/client.mts';
import { eventually } from './eventually.mts';
import type { PublishedTrigger } from './published-trigger.mts';
import type { Rig } from './real-n8n.mts';
import { codeNode, TRIGGER } from './workflow-nodes.mts';

/** Fails in a run with a response that `completeWithOneFailing` made so. */
export const FAILING = codeNode(
	'Check',
	"if ($input.all().some(({ json }) => json.hiddenFields.breaks)) throw new Error('broken'); return $input.all();",
);

/** The first responses of a trigger, so many. @returns the one that makes a later node fail */
export async function completeWithOneFailing(
	{ complete, made }: PublishedTrigger,
	count: number,
	how: Record<string, unknown> = {},
) {
	await complete(Math.floor(count / 2), how);
	const [failing] = await complete(1, { hiddenFields: { breaks: 'yes' }, ...how });
	await complete(count - made.length, how);
	return failing!;
}

/** By and large in the order of completion: n8n numbers what begins at the same instant at random. */
export function ranInOrder(output: Array<Record<string, unknown>>, made: Envelope[]) {
	const ran = output.map(({ responseId }) => responseId);
	const moves = made.map(({ data }, index) => Math.abs(ran.indexOf(data.responseId) - index));
	const moved = moves.reduce((sum, move) => sum + move, 0) / made.length;
	// In any order it would be a third.
	assert.ok(moved <= made.length / 6, `moved by ${moves.join()}`);
}

/** What the trigger put out in an execution with one response. */
export async function responseIn({ n8n }: Rig, executionId: string) {
	const [item] = n8n.nodeOutput(await n8n.execution(executionId), TRIGGER);
	return item!.json.responseId;
}

/** Each ran once, by itself, and one run failed. @returns the failed execution's ID */
export async function eachRanAlone(rig: Rig, trigger: PublishedTrigger, failing: Envelope) {
	await trigger.allEnded();
	const runs = (await rig.runsOf(trigger.workflow.id)).filter(({ output }) => output.length > 0);
	assert.deepEqual(new Set(runs.map(({ output }) => output.length)), new Set([1]));
	assert.equal(runs.length, trigger.made.length);
	ranInOrder(await trigger.ran(), trigger.made);
	const [failed] = await eventually(async () => {
		const all = await trigger.failed();
		assert.equal(all.length, 1);
		return all;
	});
	assert.equal(await responseIn(rig, failed!.id), failing.data.responseId);
	return failed!.id;
}
