import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { fromVersion010, isOfVersion010 } from './version010';
import { identityOf } from './identity';
import type { TriggerState } from './state';

/** What this process knows of a node's production subscription. */
export interface Subscription {
	state: TriggerState;
	/** With the token, which is nowhere else; only where this process made the live subscription. */
	targetUrl?: string;
	/** Whether the subscription has to be made anew by the running trigger. */
	isRenewalDue?: boolean;
	/** Whether it has no hook that delivers, as far as is known. */
	isHookLost?: boolean;
}

type StateContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/**
 * By workflow and node. Static data alone is not safe: n8n writes the workflow's static data as a
 * whole, so that a Code node that ends a run after a new subscription puts the old state back; it is
 * stored only once all triggers are registered; and a running trigger may not write it.
 */
const subscriptions = new Map<string, Subscription>();

/** What this process knows by itself: undefined until it has called `create` or `delete` for the node. */
export const subscriptionOf = (context: StateContext): Subscription | undefined =>
	subscriptions.get(identityOf(context));

/** Whether nothing was remembered since: the workflow was neither unpublished nor published anew. */
export const isUnchanged = (context: StateContext, state: TriggerState): boolean =>
	subscriptionOf(context)?.state === state;

export function remember(context: StateContext, subscription: Subscription): void {
	subscriptions.set(identityOf(context), subscription);
}

function storedState(context: StateContext): TriggerState | undefined {
	const data = context.getWorkflowStaticData('node') as Partial<TriggerState>;
	if (isOfVersion010(data)) return fromVersion010(data);
	if (typeof data.status !== 'string' || !Array.isArray(data.keys)) return undefined;
	return { ...data } as TriggerState;
}

/** n8n stores by the node's name, which may have been another node's until now. */
function younger(known?: TriggerState, stored?: TriggerState): TriggerState | undefined {
	if (known === undefined || stored === undefined) return known ?? stored;
	if (known.nodeId !== undefined && stored.nodeId !== known.nodeId) return known;
	return stored.generation > known.generation ? stored : known;
}

/** The production subscription, in a context that does not know the node's webhook URL. */
export const productionState = (context: StateContext): TriggerState | undefined =>
	younger(subscriptionOf(context)?.state, storedState(context));

/** The test listener's subscription: nothing else ever writes its static data. */
export const testState = (context: StateContext): TriggerState | undefined => storedState(context);

/** The subscription that the hook method is about: that of production, or of a test listener. */
export function stateOf(context: IHookFunctions): TriggerState | undefined {
	const stored = storedState(context);
	const known = subscriptionOf(context)?.state;
	const isSame = known?.webhookUrl === context.getNodeWebhookUrl('default');
	return isSame ? younger(known, stored) : stored;
}

/** Only hook methods may call this: n8n stores what they write, and nothing else writes safely. */
export function saveState(
	context: IHookFunctions,
	state: TriggerState,
	known: Omit<Subscription, 'state'> = {},
): void {
	const data = context.getWorkflowStaticData('node');
	for (const key of Object.keys(data)) delete data[key];
	// Whole values only: n8n does not notice a change inside a value it was just given.
	Object.assign(data, JSON.parse(JSON.stringify(state)) as IDataObject);
	if (!state.isTest) remember(context, { ...known, state });
}
