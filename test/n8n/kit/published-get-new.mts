import type { Rig } from './real-n8n.mts';
import { ACTION, byId, codeNode, node } from './workflow-nodes.mts';

/** Publishes Get New behind a webhook, which runs it once for some forms, one after the other. */
export async function publishGetNew({ n8n, instance, addWorkflow, actionNode }: Rig, extra = {}) {
	const path = crypto.randomUUID();
	const webhook = { path, httpMethod: 'GET', options: {} };
	const formsOfQuery = `$input.first().json.query.forms.split(',').map((form) => ({ json: { form } }))`;
	const getNew = {
		operation: 'getNew',
		formId: byId('={{ $json.form }}'),
		authentication: 'apiKey',
		// So that a form has been read when something happens to the next.
		options: { maxConcurrency: 1 },
	};
	const nodes = [
		node('Hook', 'n8n-nodes-base.webhook', webhook, { typeVersion: 2, webhookId: path }),
		codeNode('Forms', `return ${formsOfQuery};`),
		actionNode(getNew, extra),
	];
	const { id } = await addWorkflow(nodes);
	await n8n.publish(id);

	return {
		executions: async () => await n8n.executions({ workflowId: id }),
		/** @returns how the run ended, and how many responses it gave */
		async run(forms: string[], whileRunning?: (workflowId: string) => Promise<void>) {
			const after = await n8n.lastExecutionId(id);
			await fetch(`${instance.url}/webhook/${path}?forms=${forms.join(',')}`);
			await whileRunning?.(id);
			const run = await n8n.waitForExecution(id, { after, timeoutMs: 90_000 });
			return { status: run.status, count: n8n.nodeOutput(run, ACTION).length };
		},
	};
}
