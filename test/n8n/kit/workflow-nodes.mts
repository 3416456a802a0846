import type { Connections, JsonObject, WorkflowNode } from '../../../playground/n8n/types.mts';

export type NodeDraft = WorkflowNode;

export const PACKAGE = 'n8n-nodes-form-responses';
export const TRIGGER = 'Form Responses Trigger';
export const ACTION = 'Form Responses';

/** No form, response or hook has it. */
export const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** What a picker holds of an ID that was entered. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

export function node(
	name: string,
	type: string,
	parameters: JsonObject = {},
	extra: JsonObject = {},
): NodeDraft {
	const id = crypto.randomUUID();
	return { id, name, type, typeVersion: 1, position: [0, 0], parameters, ...extra };
}

/** Runs JavaScript of n8n's Code node. */
export const codeNode = (name: string, jsCode: string) =>
	node(name, 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 });

/** Each node's first output goes into the next one. */
export function inARow(nodes: NodeDraft[]): Connections {
	const links = nodes
		.slice(1)
		.map(({ name }, index) => [
			nodes[index]!.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	return Object.fromEntries(links);
}
