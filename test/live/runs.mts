import type { N8nClient } from '../../playground/n8n/client.mts';
import type { ExecutionSummary } from '../../playground/n8n/types.mts';
import { TRIGGER } from './drafts.mts';

export interface Run extends ExecutionSummary {
	/** What the trigger put out. */
	output: Array<Record<string, unknown>>;
}

interface Which {
	trigger?: string;
	/** Only executions newer than this one. */
	after?: string;
}

const UNDER_WAY = new Set(['new', 'running', 'unknown']);

export const isUnderWay = ({ status }: ExecutionSummary) => UNDER_WAY.has(status);

/** The trigger has put out in this run all that it will. What n8n did not survive runs again. */
const hasPutOut = (execution: ExecutionSummary) =>
	!isUnderWay(execution) && execution.status !== 'crashed';

/** Reads each run once, since what it put out does not change. */
export function readRuns(n8n: () => N8nClient) {
	const outputs = new Map<string, Run['output']>();

	async function outputOf(id: string, trigger: string) {
		const key = `${id} ${trigger}`;
		if (!outputs.has(key)) {
			const items = n8n().nodeOutput(await n8n().execution(id), trigger);
			outputs.set(
				key,
				items.map(({ json }) => json),
			);
		}
		return outputs.get(key)!;
	}

	/** The runs of a workflow that have ended, oldest first. */
	return async function runsOf(workflowId: string, which: Which = {}): Promise<Run[]> {
		const { trigger = TRIGGER, after } = which;
		const ended = (await n8n().executions({ workflowId, after })).filter(hasPutOut).reverse();
		const outputsOfEnded = ended.map(async ({ id }) => await outputOf(id, trigger));
		const read = await Promise.all(outputsOfEnded);
		return ended.map((execution, n) => ({ ...execution, output: read[n]! }));
	};
}
