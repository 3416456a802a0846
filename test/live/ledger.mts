import assert from 'node:assert/strict';
import { eventually } from './eventually.mts';
import { TRIGGER } from './drafts.mts';
import { hasPutOut } from './outputs.mts';
import type { Stage } from './stage.mts';

const LOOK_AGAIN_MS = 500;
/** How long before a kill a run may have ended without its end being recorded for good (docs/reliability.md, limits). */
const UNRECORDED_MS = 1_000;
/** More than can be under way at once: those before them have ended. */
const NEWEST_RUNS = 100;

interface Accounts {
	formId: string;
	workflowId: string;
}

/** Compares all that the service completed with all that any run of the workflow put out. */
export function openLedger(stage: Stage, { formId, workflowId }: Accounts) {
	const completed: string[] = [];
	/** By execution; what a run that has ended put out does not change. */
	const putOut = new Map<string, string[]>();
	const endedAt = new Map<string, number>();
	const kills: Array<{ from: number; to: number }> = [];

	function isUnrecorded(executionId: string) {
		const at = endedAt.get(executionId)!;
		return kills.some(({ from, to }) => at <= to && at > from - UNRECORDED_MS);
	}

	async function read(executionId: string) {
		const items = stage.n8n.nodeOutput(await stage.n8n.execution(executionId), TRIGGER);
		const ids = items.map(({ json }) => String(json.responseId));
		putOut.set(executionId, ids);
	}

	async function runsOf(after = 0): Promise<Map<string, string[]>> {
		const executions = await stage.n8n.executions({ workflowId, after: String(after) });
		const unread = executions.filter(
			(execution) => hasPutOut(execution) && !putOut.has(execution.id),
		);
		for (const { id, stoppedAt } of unread) endedAt.set(id, Date.parse(stoppedAt ?? ''));
		await Promise.all(unread.map(async ({ id }) => await read(id)));
		const runs = new Map<string, string[]>(completed.map((id) => [id, []]));
		for (const [executionId, ids] of putOut) {
			for (const id of ids) runs.set(id, [...(runs.get(id) ?? []), executionId]);
		}
		return runs;
	}

	/** The responses that no run put out, and those that were put out more than once. */
	async function balance(after?: number) {
		const runs = [...(await runsOf(after))];
		return {
			lost: runs.filter(([, executions]) => executions.length === 0).map(([id]) => id),
			twice: runs.filter(
				([, executions]) => executions.filter((id) => !isUnrecorded(id)).length > 1,
			),
		};
	}

	const newestRun = () => Math.max(0, ...[...putOut.keys()].map(Number));

	return {
		balance: async () => await balance(),

		/** A process that runs responses has been killed just now. @param from when that began */
		noteKill: (from: number) => void kills.push({ from, to: Date.now() }),

		/** How many responses ran again because n8n was killed as their first run ended. */
		async unrecorded() {
			const again = [...(await runsOf())].filter(([, executions]) => executions.length > 1);
			return again.length - (await balance()).twice.length;
		},

		get count() {
			return completed.length;
		},

		async submit(count: number, response: Record<string, unknown> = {}) {
			const made = await stage.service.addResponses(formId, { count, ...response });
			completed.push(...made.map(({ data }) => data.responseId));
			return made;
		},

		/** Waits until every response was put out. */
		async allRan(withinMs: number) {
			await eventually(
				async () => {
					const { lost } = await balance(newestRun() - NEWEST_RUNS);
					if (lost.length === 0) return;
					const deliveries = await stage.service.deliveries();
					const answers = lost.map((id) => {
						const own = deliveries.filter(({ responseId }) => responseId === id);
						return `${id} (${own.map(({ status, error }) => status ?? error).join(', ')})`;
					});
					assert.fail(`${lost.length} not put out, with their deliveries: ${answers.join('; ')}`);
				},
				withinMs,
				LOOK_AGAIN_MS,
			);
		},
	};
}
