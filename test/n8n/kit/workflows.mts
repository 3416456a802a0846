import assert from 'node:assert/strict';
import type { N8nClient } from '../../../playground/n8n/client.mts';
import type { Execution, JsonObject, WorkflowDraft } from '../../../playground/n8n/types.mts';
import {
	ACTION,
	byId,
	codeNode,
	inARow,
	node,
	PACKAGE,
	TRIGGER,
	type NodeDraft,
} from './workflow-nodes.mts';

type Reference = { id: string; name: string };

/** Of both types, as a node has them. */
export type Credentials = Record<'formResponsesApi' | 'formResponsesOAuth2Api', Reference>;

export function succeeded(execution: Execution) {
	const { lastNodeExecuted, error } = execution.data.resultData;
	assert.equal(execution.status, 'success', `${lastNodeExecuted}: ${error?.message}`);
	return execution;
}

const nodesWith = (credentials: Credentials) => ({
	actionNode: (parameters: JsonObject, extra: JsonObject = {}, name = ACTION) =>
		node(name, `${PACKAGE}.formResponses`, parameters, { credentials, ...extra }),

	triggerNode(formId: string, parameters: JsonObject, extra: JsonObject) {
		const own = { formId: byId(formId), ...parameters };
		const all = { credentials, webhookId: crypto.randomUUID(), ...extra };
		return node(TRIGGER, `${PACKAGE}.formResponsesTrigger`, own, all);
	},
});

/** Adds workflows to the n8n that runs at the time, publishes them, and runs them by hand. */
export function workflowsIn(current: { n8n: N8nClient }, credentials: Credentials) {
	const addWorkflow = async (nodes: NodeDraft[], others: Partial<WorkflowDraft> = {}) =>
		await current.n8n.createWorkflow({
			name: `${ACTION} ${crypto.randomUUID()}`,
			nodes,
			connections: inARow(nodes),
			...others,
		});

	const { actionNode, triggerNode } = nodesWith(credentials);

	/** Runs the nodes once, one after the other. */
	async function run(...nodes: NodeDraft[]) {
		const { id } = await addWorkflow([node('Start', 'n8n-nodes-base.manualTrigger'), ...nodes]);
		await current.n8n.runManually(id, { destinationNode: nodes.at(-1)!.name });
		return await current.n8n.waitForExecution(id, { timeoutMs: 60_000 });
	}

	/** Runs the action node once for the given input items. */
	async function runAction(parameters: JsonObject, inputs: JsonObject[] = [{}], extra = {}) {
		const items = JSON.stringify(inputs.map((json) => ({ json })));
		return await run(codeNode('Items', `return ${items};`), actionNode(parameters, extra));
	}

	return {
		addWorkflow,
		actionNode,
		run,
		runAction,

		/** What the action node puts out; it has to succeed. */
		actionOutput: async (...how: Parameters<typeof runAction>) =>
			current.n8n.nodeOutput(succeeded(await runAction(...how)), ACTION),

		/** What people read of an action that has to fail. */
		async actionFailure(...how: Parameters<typeof runAction>) {
			const { status, data } = await runAction(...how);
			assert.equal(status, 'error');
			return String(data.resultData.error?.message);
		},

		/** The trigger in a workflow of its own, with what runs after it. */
		addTriggerWorkflow: async (
			formId: string,
			parameters: JsonObject = {},
			others: NodeDraft[] = [],
			extra: JsonObject = {},
		) => await addWorkflow([triggerNode(formId, parameters, extra), ...others]),

		/** Saves other options of the trigger; they count once the workflow is published. */
		async changeOptions(workflowId: string, options: JsonObject) {
			const { nodes } = await current.n8n.workflow(workflowId);
			Object.assign(nodes.find(({ name }) => name === TRIGGER)!.parameters, { options });
			await current.n8n.updateWorkflow(workflowId, { nodes });
		},

		/** What a person does who presses "Execute workflow" on the trigger. */
		testTrigger: async (workflowId: string) =>
			await current.n8n.runManually(workflowId, { triggerToStartFrom: TRIGGER }),

		async publish(workflowId: string) {
			assert.deepEqual(await current.n8n.publish(workflowId), { ok: true, message: '' });
		},
	};
}
