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

/** Names the node among all of this n8n; its name may change, its ID does not. */
export const identityOf = (
	context: TriggerNodeContext,
	nodeId: string = context.getNode().id,
): string => `${context.getWorkflow().id}/${nodeId}`;

/** What this process keeps for each node, made when it is first asked for. */
export function perNode<Value>(make: () => Value) {
	const values = new Map<string, Value>();
	return (context: TriggerNodeContext, nodeId?: string): Value => {
		const identity = identityOf(context, nodeId);
		const value = values.get(identity) ?? make();
		values.set(identity, value);
		return value;
	};
}
