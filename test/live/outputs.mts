import type { N8nClient } from '../../playground/n8n/client.mts';
import { TRIGGER } from './drafts.mts';

type Json = Record<string, unknown>;

/** What the runs of workflows put out; each that has ended is read once, since it does not change. */
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
		const ended = summaries.filter(({ status }) => status === 'success' || status === 'error');
		const outputs = ended
			.reverse()
			.map(
				async ({ id }) => outputOfRun.get(`${id} ${trigger}`) ?? (await readOutput(id, trigger)),
			);
		return (await Promise.all(outputs)).flat();
	};
}
