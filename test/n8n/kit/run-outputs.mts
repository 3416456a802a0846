import type { N8nClient } from '../../../playground/n8n/client.mts';
import type { ExecutionSummary } from '../../../playground/n8n/types.mts';
import { TRIGGER } from './workflow-nodes.mts';

export interface Run extends ExecutionSummary {
	/** What the trigger put out. */
	output: Array<Record<string, unknown>>;
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
		const items = n8n().nodeOutput(await n8n().execution(id), trigger);
		return items.map(({ json }) => json);
	}

	/** The runs of a workflow that have ended, oldest first. */
	async function runsOf(workflowId: string, trigger = TRIGGER) {
		const ended = (await n8n().executions({ workflowId })).filter(hasPutOut).reverse();
		const reading = ended.map(async (execution): Promise<Run> => {
			const key = `${execution.id} ${trigger}`;
			const output = outputs.get(key) ?? (await outputOf(execution.id, trigger));
			outputs.set(key, output);
			return { ...execution, output };
		});
		return await Promise.all(reading);
	}

	return {
		runsOf,
		/** The responses that the trigger gave out in all runs of the workflow, oldest first. */
		outputOf: async (workflowId: string, trigger?: string) =>
			(await runsOf(workflowId, trigger)).flatMap(({ output }) => output),
	};
}
