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
