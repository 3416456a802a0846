import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import type { NodeContext } from './identity';
import { identityOf } from './identity';
import type { TriggerState } from './state';

/** What this process knows of a production subscription. */
export interface Subscription {
	/** Undefined if n8n started the trigger without any, and it could not begin yet. */
	state?: TriggerState;
	/** The node's production URL in this n8n. */
	webhookUrl?: string;
	/** Whether the latest attempt made a hook. */
	isMade?: boolean;
	/** Whether a start found a hook that lives. */
	isSettled?: boolean;
	/** Whether the running trigger must replace the hook. */
	isRenewalDue?: boolean;
	/** Whether no hook delivers, as far as is known. */
	isHookLost?: boolean;
}

/**
 * Keyed by workflow and node. Static data alone is unsafe: n8n writes it as a whole, so a Code node that ends a
 * run after a new subscription restores the old state; n8n stores it only after all triggers are registered;
 * and a running trigger may not write it.
 */
const subscriptions = new Map<string, Subscription>();

/** Undefined until this process has run `create` or `delete` for the node. */
export const subscriptionOf = (context: NodeContext): Subscription | undefined =>
	subscriptions.get(identityOf(context));

/** Whether the subscription is still this one, so nobody unpublished or published again. */
export const isUnchanged = (context: NodeContext, state: TriggerState | undefined): boolean =>
	subscriptionOf(context)?.state === state;

export function remember(context: NodeContext, subscription: Subscription): void {
	const webhookUrl = subscriptionOf(context)?.webhookUrl;
	subscriptions.set(identityOf(context), { webhookUrl, ...subscription });
}

/** What n8n has stored of the subscription, or of the test listener, which it stores separately. */
export function storedState(context: NodeContext): TriggerState | undefined {
	const data = context.getWorkflowStaticData('node') as Partial<TriggerState>;
	if (typeof data.status !== 'string' || typeof data.hash !== 'string') return undefined;
	return { ...data } as TriggerState;
}

/** Of the production subscription; not for a test listener, which has a store of its own. */
export function productionState(context: NodeContext): TriggerState | undefined {
	const known = subscriptionOf(context)?.state;
	const stored = storedState(context);
	if (known === undefined || stored === undefined) return known ?? stored;
	// n8n stores state by node name, which may have belonged to another node.
	if (known.nodeId !== undefined && stored.nodeId !== known.nodeId) return known;
	return stored.generation > known.generation ? stored : known;
}

/** Whether a hook method is called for the subscription that this process knows, rather than for a test listener. */
export const isProduction = (context: IHookFunctions): boolean =>
	subscriptionOf(context)?.webhookUrl === context.getNodeWebhookUrl('default');

/** The subscription of a hook method: production or test listener. */
export const stateOf = (context: IHookFunctions): TriggerState | undefined =>
	isProduction(context) ? productionState(context) : storedState(context);

/** For hook methods only: n8n stores what they write, and no other writer is safe. */
export function store(context: NodeContext, state: TriggerState): void {
	const data = context.getWorkflowStaticData('node');
	for (const key of Object.keys(data)) delete data[key];
	// Whole values only: n8n does not notice changes inside a value.
	Object.assign(data, JSON.parse(JSON.stringify(state)) as IDataObject);
}

/** Stores the state of a production subscription, and remembers it. For hook methods only. */
export function save(context: IHookFunctions, subscription: Subscription): void {
	remember(context, { ...subscription, webhookUrl: context.getNodeWebhookUrl('default') });
	if (subscription.state) store(context, subscription.state);
}
