import type { DeliveryToken, KeptKey } from './deliveryToken';
import { keep } from './deliveryToken';

/** Where a subscription belongs. One for another place is another subscription. */
export interface Place {
	formId: string;
	baseUrl: string;
	/** The node's own webhook URL; another one is another n8n, or a test listener. */
	webhookUrl: string;
}

/**
 * What the node knows of its subscription, as it is stored.
 *
 * - `stopped`: nothing is delivered or polled for; never begun, or ended.
 * - `subscribed`: a hook delivers.
 * - `polling`: responses are looked for with an API key.
 */
export interface TriggerState extends Place {
	status: 'polling' | 'subscribed' | 'stopped';
	/** The hook that was made last; kept until it is known to be removed. */
	hookId?: string;
	/** When that hook was made, in the service's clock. */
	madeAt?: string;
	/** Of the live key; it grows with each subscription, and is 0 before the first. */
	generation: number;
	/** The last few keys, the live one among them; a key is kept before it is sent. */
	keys: KeptKey[];
	/**
	 * Responses completed before are not the node's business. In the service's clock; '' for all,
	 * missing until the first subscription is made.
	 */
	since?: string;
	/** Keys of responses that were there when polling began. */
	baseline: string[];
	/** The node that began; another one that takes its name finds its state, but not what it ran. */
	nodeId?: string;
	/** Whether `since` is a guess, because n8n lost what was stored. */
	isGuess?: boolean;
	/** When it stopped, in milliseconds of n8n's clock. */
	stoppedAt?: number;
	/** Of a test listener, which n8n stores apart. */
	isTest?: boolean;
}

/** From which responses on a subscription counts. */
export type Start = Pick<TriggerState, 'since' | 'baseline' | 'nodeId' | 'isGuess'>;

type MadeHook = Required<Pick<TriggerState, 'hookId' | 'madeAt' | 'generation'>>;

const KEPT_KEYS = 6;

const youngestFirst = (a: KeptKey, b: KeptKey) => b.generation - a.generation;

/** The last few keys; that of the live hook stays, however many were sent since and not answered. */
function lastKeys(keys: KeptKey[], liveGeneration: number): KeptKey[] {
	const isLive = ({ generation }: KeptKey) => generation === liveGeneration;
	const live = keys.filter(isLive).slice(-1);
	const others = keys.filter((key) => !isLive(key)).sort(youngestFirst);
	return [...others.slice(0, KEPT_KEYS - live.length), ...live].sort(youngestFirst).reverse();
}

/** Of all that the node ever used, so that the next one is younger. */
export const youngestGeneration = (state: TriggerState | undefined): number =>
	Math.max(state?.generation ?? 0, ...(state?.keys ?? []).map(({ generation }) => generation));

const placeOf = ({ formId, baseUrl, webhookUrl }: Place): Place => ({
	formId,
	baseUrl,
	webhookUrl,
});

/** Every change that a state can go through, in the order of a subscription's life. */
export const transitions = {
	/** A key is about to be sent: the service may make the hook and its answer be lost. */
	keySent(previous: TriggerState | undefined, place: Place, token: DeliveryToken): TriggerState {
		const state = previous ?? {
			...placeOf(place),
			status: 'stopped',
			generation: 0,
			keys: [],
			baseline: [],
		};
		const keys = [...state.keys, keep(token, place.formId)];
		return { ...state, keys: lastKeys(keys, state.generation) };
	},

	/** The service made the hook for the key that was sent with this generation. */
	subscribed(sent: TriggerState, place: Place, made: MadeHook & Start): TriggerState {
		const keys = lastKeys(sent.keys, made.generation);
		return { ...placeOf(place), status: 'subscribed', ...made, keys };
	},

	/** The service cannot make a hook now; the running trigger looks, and makes it later. */
	withoutHook: (state: TriggerState): TriggerState => ({
		...state,
		status: 'subscribed',
		madeAt: undefined,
		stoppedAt: undefined,
	}),

	polling(
		previous: TriggerState | undefined,
		place: Place,
		start: Start,
		now: number,
	): TriggerState {
		const { generation = 0, keys = [] } = previous ?? {};
		const next = Math.max(now, generation + 1);
		return { ...placeOf(place), status: 'polling', generation: next, keys, ...start };
	},

	/** Before the hook is removed, so that a service that fails does not make the pause look short. */
	stopped: (state: TriggerState, now: number): TriggerState =>
		state.status === 'stopped' ? state : { ...state, status: 'stopped', stoppedAt: now },

	hookRemoved: (state: TriggerState): TriggerState => ({ ...state, hookId: undefined }),
};

/** Whether `state` is at work in this way at this place, as far as the place is known. */
export function isLiveAt(
	state: TriggerState | undefined,
	status: 'polling' | 'subscribed',
	place: Partial<Place>,
): state is TriggerState {
	if (state?.status !== status) return false;
	return (Object.keys(place) as Array<keyof Place>).every(
		(name) => place[name] === undefined || state[name] === place[name],
	);
}

/**
 * Whether a new subscription goes on where an earlier one ended, rather than starting anew.
 *
 * @param longestPauseMs how long ago that one may have stopped
 */
export function continues(
	previous: TriggerState | undefined,
	place: Place,
	now: number,
	longestPauseMs: number,
): previous is TriggerState {
	if (previous?.since === undefined) return false;
	if (previous.formId !== place.formId || previous.baseUrl !== place.baseUrl) return false;
	const pauseMs = previous.status === 'stopped' ? now - (previous.stoppedAt ?? 0) : 0;
	return pauseMs < longestPauseMs;
}
