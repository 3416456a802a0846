import type { N8nClient } from '../../playground/n8n/client.mts';
import type { ExecutionSummary } from '../../playground/n8n/types.mts';
import { TRIGGER } from './drafts.mts';

type Json = Record<string, unknown>;

const UNDER_WAY = new Set(['new', 'running', 'unknown']);

export const isUnderWay = ({ status }: ExecutionSummary) => UNDER_WAY.has(status);

/** The trigger has put out in this run all that it will. What n8n did not survive runs again. */
export const hasPutOut = (execution: ExecutionSummary) =>
	!isUnderWay(execution) && execution.status !== 'crashed';

/** What the runs of workflows put out; each is read once, since it does not change. */
export function readOutputs(n8n: () => N8nClient) {
	const outputOfRun = new Map<string, Json[]>();

	async function readOutput(id: string, trigger: string): Promise<Json[]> {
		const items = n8n().nodeOutput(await n8n().execution(id), trigger);
		const output = items.map(({ json }) => json);
		outputOfRun.set(`${id} ${trigger}`, output);
		return output;
	}

	/** The responses that the trigger gave out in all runs of the workflow, oldest first. */
	return async function outputOf(workflowId: string, trigger = TRIGGER): Promise<Json[]> {
		const summaries = await n8n().executions({ workflowId });
		const outputs = summaries
			.filter(hasPutOut)
			.reverse()
			.map(
				async ({ id }) => outputOfRun.get(`${id} ${trigger}`) ?? (await readOutput(id, trigger)),
			);
		return (await Promise.all(outputs)).flat();
	};
}
