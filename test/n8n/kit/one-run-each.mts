import assert from 'node:assert/strict';
import type { Envelope } from '../../../playground/service/client.mts';
import { codeNode, TRIGGER } from './workflow-nodes.mts';
import { eventually } from './eventually.mts';
import type { PublishedTrigger } from './published-trigger.mts';
import type { Rig } from './test-rig.mts';

/** Fails in a run with a response that `completeWithOneFailing` made so. */
export const FAILING = codeNode(
	'Check',
	"if ($input.all().some(({ json }) => json.hiddenFields.breaks)) throw new Error('broken'); return $input.all();",
);

/** So many responses, one of which makes a later node fail. */
export async function completeWithOneFailing(
	trigger: PublishedTrigger,
	count: number,
	how: Record<string, unknown> = {},
) {
	const before = await trigger.complete(Math.floor(count / 2), how);
	const [failing] = await trigger.complete(1, { hiddenFields: { breaks: 'yes' }, ...how });
	const later = await trigger.complete(count - 1 - before.length, how);
	return { made: [...before, failing!, ...later], failing: failing! };
}

/** By and large in the order of completion: n8n numbers what begins at the same instant at random. */
export function ranInOrder(output: Array<Record<string, unknown>>, made: Envelope[]) {
	const ran = output.map(({ responseId }) => responseId);
	const moves = made.map(({ data }, index) => Math.abs(ran.indexOf(data.responseId) - index));
	const moved = moves.reduce((sum, move) => sum + move, 0) / made.length;
	// In any order it would be a third.
	assert.ok(moved <= made.length / 6, `moved by ${moves.join()}`);
}

/** Each ran once, by itself. */
export async function ranAlone(rig: Rig, { workflow }: PublishedTrigger, made: Envelope[]) {
	const runs = (await rig.runsOf(workflow.id)).filter(({ output }) => output.length > 0);
	assert.deepEqual(new Set(runs.map(({ output }) => output.length)), new Set([1]));
	assert.equal(runs.length, made.length);
	ranInOrder(
		runs.flatMap(({ output }) => output),
		made,
	);
}

export async function onlyOneFailed(rig: Rig, trigger: PublishedTrigger, failing: Envelope) {
	const all = await eventually(async () => {
		const failed = await trigger.failed();
		assert.equal(failed.length, 1);
		return failed;
	});
	const execution = await rig.n8n.execution(all[0]!.id);
	const [{ json }] = rig.n8n.nodeOutput(execution, TRIGGER) as [{ json: { responseId: string } }];
	assert.equal(json.responseId, failing.data.responseId);
	return all[0]!;
}
