import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
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
	/** Whether the running trigger must replace the hook. */
	isRenewalDue?: boolean;
	/** Whether no hook delivers, as far as is known. */
	isHookLost?: boolean;
}

type StateContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/**
 * Keyed by workflow and node. Static data alone is unsafe: n8n writes it as a whole, so a Code node that ends a
 * run after a new subscription restores the old state; n8n stores it only after all triggers are registered;
 * and a running trigger may not write it.
 */
const subscriptions = new Map<string, Subscription>();

/** Undefined until this process has run `create` or `delete` for the node. */
export const subscriptionOf = (context: StateContext): Subscription | undefined =>
	subscriptions.get(identityOf(context));

/** Whether the subscription is still this one, so nobody unpublished or published again. */
export const isUnchanged = (context: StateContext, state: TriggerState | undefined): boolean =>
	subscriptionOf(context)?.state === state;

export function remember(context: StateContext, subscription: Subscription): void {
	const webhookUrl = subscriptionOf(context)?.webhookUrl;
	subscriptions.set(identityOf(context), { webhookUrl, ...subscription });
}

/** What n8n has stored of the subscription, or of the test listener, which it stores separately. */
export function storedState(context: StateContext): TriggerState | undefined {
	const data = context.getWorkflowStaticData('node') as Partial<TriggerState>;
	if (typeof data.status !== 'string' || typeof data.hash !== 'string') return undefined;
	return { ...data } as TriggerState;
}

/** n8n stores state by node name, which may have belonged to another node. */
function newer(known?: TriggerState, stored?: TriggerState): TriggerState | undefined {
	if (known === undefined || stored === undefined) return known ?? stored;
	if (known.nodeId !== undefined && stored.nodeId !== known.nodeId) return known;
	return stored.generation > known.generation ? stored : known;
}

/** For contexts that do not know the node's webhook URL. */
export const productionState = (context: StateContext): TriggerState | undefined =>
	newer(subscriptionOf(context)?.state, storedState(context));

/** Whether a hook method is called for the subscription that this process knows, rather than for a test listener. */
export const isProduction = (context: IHookFunctions): boolean =>
	subscriptionOf(context)?.webhookUrl === context.getNodeWebhookUrl('default');

/** The subscription of a hook method: production or test listener. */
export function stateOf(context: IHookFunctions): TriggerState | undefined {
	const stored = storedState(context);
	return isProduction(context) ? newer(subscriptionOf(context)?.state, stored) : stored;
}

/** For hook methods only: n8n stores what they write, and no other writer is safe. */
export function store(context: StateContext, state: TriggerState): void {
	const data = context.getWorkflowStaticData('node');
	for (const key of Object.keys(data)) delete data[key];
	// Whole values only: n8n does not notice changes inside a value.
	Object.assign(data, JSON.parse(JSON.stringify(state)) as IDataObject);
}

/** Stores the state of a production subscription, and remembers it. For hook methods only. */
export function save(context: StateContext, subscription: Subscription): void {
	const webhookUrl = (context as IHookFunctions).getNodeWebhookUrl('default');
	remember(context, { ...subscription, webhookUrl });
	if (subscription.state) store(context, subscription.state);
}
