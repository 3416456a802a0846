import type {
	IExecuteFunctions,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

export type TriggerNodeContext =
	| IExecuteFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** Identifies the node within this n8n. Its name may change, its ID does not. */
export const identityOf = (
	context: TriggerNodeContext,
	nodeId: string = context.getNode().id,
): string => `${context.getWorkflow().id}/${nodeId}`;

/** State of this process per node, created on first use. */
export function perNode<Value>(make: () => Value) {
	const values = new Map<string, Value>();
	return (identity: string): Value => {
		const value = values.get(identity) ?? make();
		values.set(identity, value);
		return value;
	};
}
