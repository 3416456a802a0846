import type {
	IDataObject,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { DeliveryKey } from './key';

/** A key that was sent to the service, with the form it was for. */
export type KeptKey = DeliveryKey & { formId: string };

/** What the node knows of its subscription. */
export interface SubscriptionState {
	/** Missing while the node polls, and once the hook is removed. */
	hookId?: string;
	formId: string;
	baseUrl: string;
	targetUrl: string;
	/** The node's own webhook URL; tells a production subscription from that of a test listener. */
	webhookUrl: string;
	/** Generation and token of the live hook. */
	generation: number;
	token: string;
	/**
	 * Responses completed before are not the node's business. In the service's clock; '' for all,
	 * undefined while the first subscription is being made.
	 */
	since?: string;
	/** Polling: responses that were there when it began. */
	old: string[];
	/** The last few keys, the live one among them; a key is kept before it is sent. */
	keys: KeptKey[];
	/** When the hook was removed or polling ended, in milliseconds of n8n's clock. */
	stoppedAt?: number;
	isTest?: boolean;
}

type StateContext = IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/**
 * States of production subscriptions by workflow and node. Static data alone is not safe: n8n writes
 * the workflow's static data as a whole, so that a Code node that ends a run after a new
 * subscription puts the old state back; and it is stored only once all triggers are registered.
 */
const remembered = new Map<string, SubscriptionState>();

/** Names the node among all of this n8n; its name may change, its ID does not. */
export const identityOf = (context: StateContext) =>
	`${context.getWorkflow().id}/${context.getNode().id}`;

function storedState(context: StateContext): SubscriptionState | undefined {
	const data = context.getWorkflowStaticData('node') as Partial<SubscriptionState>;
	if (typeof data.generation !== 'number' || !Array.isArray(data.keys)) return undefined;
	return { ...data } as SubscriptionState;
}

function younger(a?: SubscriptionState, b?: SubscriptionState): SubscriptionState | undefined {
	if (a === undefined || b === undefined) return a ?? b;
	return b.generation > a.generation ? b : a;
}

/** The production subscription, in a context that does not know the node's webhook URL. */
export function productionState(context: StateContext): SubscriptionState | undefined {
	return younger(remembered.get(identityOf(context)), storedState(context));
}

/** The test listener's subscription: nothing else ever writes its static data. */
export function testState(context: StateContext): SubscriptionState | undefined {
	return storedState(context);
}

/** The subscription that the hook method is about: that of production, or of a test listener. */
export function stateOf(context: IHookFunctions): SubscriptionState | undefined {
	const stored = storedState(context);
	const known = remembered.get(identityOf(context));
	const isSame = known?.webhookUrl === context.getNodeWebhookUrl('default');
	return isSame ? younger(known, stored) : stored;
}

/** Whether this process has made the node's live subscription. */
export function isSubscribed(context: StateContext): boolean {
	const state = remembered.get(identityOf(context));
	return state !== undefined && isLive(state);
}

export function isLive({ since, stoppedAt }: SubscriptionState): boolean {
	return since !== undefined && stoppedAt === undefined;
}

/** Only hook methods may call this: n8n stores what they write, and nothing else writes safely. */
export function saveState(context: IHookFunctions, state: SubscriptionState): void {
	const data = context.getWorkflowStaticData('node');
	for (const key of Object.keys(data)) delete data[key];
	// Whole values only: n8n does not notice a change inside a value it was just given.
	Object.assign(data, JSON.parse(JSON.stringify(state)) as IDataObject);
	if (!state.isTest) remembered.set(identityOf(context), state);
}
