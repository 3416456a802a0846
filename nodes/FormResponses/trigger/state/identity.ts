import type { ITriggerFunctions } from 'n8n-workflow';

/** What all contexts of the trigger node have in common. */
export type NodeContext = Pick<
	ITriggerFunctions,
	'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

/** Identifies the node within this n8n. Its name may change, its ID does not. */
export const identityOf = (context: NodeContext, nodeId = context.getNode().id): string =>
	`${context.getWorkflow().id}/${nodeId}`;

/** State of this process per node, created on first use. */
export function perNode<Value>(make: () => Value) {
	const values = new Map<string, Value>();
	return (identity: string): Value => {
		const value = values.get(identity) ?? make();
		values.set(identity, value);
		return value;
	};
}
