import assert from 'node:assert/strict';
import { eventually } from './eventually.mts';
import {
	publishTrigger,
	type PublishedTrigger,
	type TriggerOptions,
} from './published-trigger.mts';
import type { Run } from './run-outputs.mts';
import type { Rig } from './real-n8n.mts';

const LOOK_AGAIN_MS = 500;
/** How long before a kill a run may have ended without its end being recorded for good (docs/reliability.md, limits). */
const UNRECORDED_MS = 1_000;

interface Kill {
	from: number;
	to: number;
}

function isUnrecorded({ stoppedAt }: Run, kills: Kill[]) {
	const at = Date.parse(stoppedAt ?? '');
	return kills.some(({ from, to }) => at <= to && at > from - UNRECORDED_MS);
}

/** Compares all that was completed with all that any run of the workflow put out. */
export function comparisonOf(
	rig: Rig,
	{ made, workflow }: Pick<PublishedTrigger, 'made' | 'workflow'>,
) {
	/** By execution, as each was when it had ended: n8n may forget that when it is killed. */
	const runs = new Map<string, Run>();
	const kills: Kill[] = [];

	/** The runs of each response. */
	async function runsByResponse() {
		for (const run of await rig.runsOf(workflow.id)) {
			if (!runs.has(run.id)) runs.set(run.id, run);
		}
		const byResponse = new Map(made.map(({ data }) => [data.responseId, [] as Run[]]));
		for (const run of runs.values()) {
			for (const { responseId } of run.output) {
				const id = String(responseId);
				byResponse.set(id, [...(byResponse.get(id) ?? []), run]);
			}
		}
		return [...byResponse];
	}

	/** The responses that no run put out, and those that were put out more than once. */
	async function lostOrTwice() {
		const entries = await runsByResponse();
		return {
			lost: entries.filter(([, ran]) => ran.length === 0).map(([id]) => id),
			twice: entries
				.filter(([, ran]) => ran.filter((run) => !isUnrecorded(run, kills)).length > 1)
				.map(([id, ran]): [string, string[]] => [id, ran.map((run) => run.id)]),
		};
	}

	async function assertNoneLost() {
		const { lost } = await lostOrTwice();
		if (lost.length === 0) return;
		const answers = (await rig.service.deliveries())
			.filter(({ responseId }) => lost.includes(responseId))
			.map(({ responseId, status, error }) => `${responseId}: ${status ?? error}`);
		assert.fail(`Not put out: ${lost.join()}. Their deliveries: ${answers.join()}`);
	}

	return {
		lostOrTwice,

		/** A process that runs responses has been killed just now. @param from when that began */
		noteKill: (from: number) => void kills.push({ from, to: Date.now() }),

		/** How many responses ran again because n8n was killed as their first run ended. */
		async unrecorded() {
			const again = (await runsByResponse()).filter(([, ran]) => ran.length > 1);
			return again.length - (await lostOrTwice()).twice.length;
		},

		/** Waits until every response was put out. */
		noneIsLost: async (withinMs: number) =>
			await eventually(assertNoneLost, withinMs, LOOK_AGAIN_MS),

		async noneIsLostOrTwice() {
			assert.deepEqual(await lostOrTwice(), { lost: [], twice: [] });
		},
	};
}

/** A published trigger that compares; its first look, which catches up with anything, is over. */
export async function publishCompared(rig: Rig, options: TriggerOptions = {}) {
	const trigger = await publishTrigger(rig, options);
	await trigger.hasLooked();
	return { ...trigger, ...comparisonOf(rig, trigger) };
}
