import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { fromVersion010, isOfVersion010 } from './version010';
import { identityOf } from './identity';
import type { TriggerState } from './state';

/** What this process knows of a production subscription. */
export interface Subscription {
	state: TriggerState;
	/** Includes the token, which is stored nowhere else; set only if this process made the live subscription. */
	targetUrl?: string;
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

/** n8n stores state by node name, which may have belonged to another node. */
function newer(known?: TriggerState, stored?: TriggerState): TriggerState | undefined {
	if (known === undefined || stored === undefined) return known ?? stored;
	if (known.nodeId !== undefined && stored.nodeId !== known.nodeId) return known;
	return stored.generation > known.generation ? stored : known;
}

/** For contexts that do not know the node's webhook URL. */
export const productionState = (context: StateContext): TriggerState | undefined =>
	newer(subscriptionOf(context)?.state, storedState(context));

/** Only the test listener itself writes its static data. */
export const testState = (context: StateContext): TriggerState | undefined => storedState(context);

/** The subscription of a hook method: production or test listener. */
export function stateOf(context: IHookFunctions): TriggerState | undefined {
	const stored = storedState(context);
	const known = subscriptionOf(context)?.state;
	const isSame = known?.webhookUrl === context.getNodeWebhookUrl('default');
	return isSame ? newer(known, stored) : stored;
}

/** For hook methods only: n8n stores what they write, and no other writer is safe. */
export function saveState(
	context: IHookFunctions,
	state: TriggerState,
	known: Omit<Subscription, 'state'> = {},
): void {
	const data = context.getWorkflowStaticData('node');
	for (const key of Object.keys(data)) delete data[key];
	// Whole values only: n8n does not notice changes inside a value.
	Object.assign(data, JSON.parse(JSON.stringify(state)) as IDataObject);
	if (!state.isTest) remember(context, { ...known, state });
}
