import assert from 'node:assert/strict';
import { eventually } from './eventually.mts';
import { publishTrigger, type TriggerOptions } from './published-trigger.mts';
import type { Run } from './run-outputs.mts';
import type { Rig } from './test-rig.mts';

const LOOK_AGAIN_MS = 500;
/** How long before a kill a run may have ended without its end being recorded for good (docs/reliability.md, limits). */
const UNRECORDED_MS = 1_000;

interface Accounts {
	formId: string;
	workflowId: string;
}

interface Kill {
	from: number;
	to: number;
}

function isUnrecorded({ stoppedAt }: Run, kills: Kill[]) {
	const at = Date.parse(stoppedAt ?? '');
	return kills.some(({ from, to }) => at <= to && at > from - UNRECORDED_MS);
}

async function failFor(lost: string[], { service }: Rig) {
	const answers = (await service.deliveries())
		.filter(({ responseId }) => lost.includes(responseId))
		.map(({ responseId, status, error }) => `${responseId}: ${status ?? error}`);
	assert.fail(`Not put out: ${lost.join()}. Their deliveries: ${answers.join()}`);
}

/** Compares all that the service completed with all that any run of the workflow put out. */
export function openLedger(rig: Rig, { formId, workflowId }: Accounts) {
	const completed: string[] = [];
	/** By execution, as each was when it had ended: n8n may forget that when it is killed. */
	const runs = new Map<string, Run>();
	const kills: Kill[] = [];

	/** The runs of each response. */
	async function runsByResponse() {
		for (const run of await rig.runsOf(workflowId)) {
			if (!runs.has(run.id)) runs.set(run.id, run);
		}
		const byResponse = new Map<string, Run[]>(completed.map((id) => [id, []]));
		for (const run of runs.values()) {
			for (const { responseId } of run.output) {
				const id = String(responseId);
				byResponse.set(id, [...(byResponse.get(id) ?? []), run]);
			}
		}
		return [...byResponse];
	}

	/** The responses that no run put out, and those that were put out more than once. */
	async function balance() {
		const entries = await runsByResponse();
		return {
			lost: entries.filter(([, ran]) => ran.length === 0).map(([id]) => id),
			twice: entries
				.filter(([, ran]) => ran.filter((run) => !isUnrecorded(run, kills)).length > 1)
				.map(([id, ran]): [string, string[]] => [id, ran.map((run) => run.id)]),
		};
	}

	async function assertAllRan() {
		const { lost } = await balance();
		if (lost.length > 0) await failFor(lost, rig);
	}

	return {
		balance,

		/** A process that runs responses has been killed just now. @param from when that began */
		noteKill: (from: number) => void kills.push({ from, to: Date.now() }),

		/** How many responses ran again because n8n was killed as their first run ended. */
		async unrecorded() {
			const again = (await runsByResponse()).filter(([, ran]) => ran.length > 1);
			return again.length - (await balance()).twice.length;
		},

		/** What was completed and is not among these. */
		missingIn: (ids: string[]) => completed.filter((id) => !ids.includes(id)),

		get count() {
			return completed.length;
		},

		async submit(count: number, response: Record<string, unknown> = {}) {
			const made = await rig.service.addResponses(formId, { count, ...response });
			completed.push(...made.map(({ data }) => data.responseId));
			return made;
		},

		/** Waits until every response was put out. */
		allRan: async (withinMs: number) => await eventually(assertAllRan, withinMs, LOOK_AGAIN_MS),
	};
}

/** A published trigger and its ledger; its first look, which catches up with anything, is over. */
export async function publishWithLedger(rig: Rig, options: TriggerOptions = {}) {
	const trigger = await publishTrigger(rig, options);
	await trigger.hasLooked();
	const { form, workflow } = trigger;
	return { trigger, ledger: openLedger(rig, { formId: form.id, workflowId: workflow.id }) };
}
