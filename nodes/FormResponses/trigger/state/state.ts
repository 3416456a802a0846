import { timing } from '../timing';
import type { DeliveryToken, StoredKey } from './deliveryToken';
import { toStoredKey } from './deliveryToken';

/** Identifies a subscription: another place is another subscription. */
export interface Place {
	formId: string;
	/** Differs for another n8n, and for a test listener. */
	webhookUrl: string;
}

/**
 * The stored state of a subscription.
 *
 * - `stopped`: nothing is delivered or polled; not yet started, or ended.
 * - `subscribed`: a hook delivers.
 * - `polling`: an API key polls.
 */
export interface TriggerState extends Place {
	status: 'polling' | 'subscribed' | 'stopped';
	/** The latest hook; kept until it is known to be removed. */
	hookId?: string;
	/** Generation of the live key: grows with each subscription, 0 before the first. */
	generation: number;
	/** The live key and those sent since; a key is stored before it is sent. */
	keys: StoredKey[];
	/**
	 * Responses completed earlier do not count. In the service's clock; '' for all, missing before the first
	 * subscription.
	 */
	since?: string;
	/** Keys of the responses that existed when polling began. */
	baseline: string[];
	/** The ID of the node that subscribed: another node that takes its name finds this state. */
	nodeId?: string;
	/** Whether `since` is a guess, because n8n lost the state: the downtime before the start. */
	isGuess?: boolean;
	/** Milliseconds, in n8n's clock. */
	stoppedAt?: number;
	/** Whether it was stopped to be published again, which was refused: that is no pause. */
	isRefused?: boolean;
	/** Set for test listeners, which n8n stores separately. */
	isTest?: boolean;
}

/** Which responses a subscription covers. */
export type Start = Pick<TriggerState, 'since' | 'baseline' | 'nodeId' | 'isGuess'>;

type MadeHook = Required<Pick<TriggerState, 'hookId' | 'generation'>>;

const KEPT_KEYS = 5;

/** The live key, and the latest of those sent since: the service may have made their hooks. */
function validKeys(keys: StoredKey[], liveGeneration: number): StoredKey[] {
	const [live, ...younger] = keys.filter(({ generation }) => generation >= liveGeneration);
	return live ? [live, ...younger.slice(-KEPT_KEYS)] : [];
}

/** The highest generation that the node ever used; the next one must be higher. */
export const maxGeneration = (state: TriggerState | undefined): number =>
	Math.max(state?.generation ?? 0, ...(state?.keys ?? []).map(({ generation }) => generation));

const placeOf = ({ formId, webhookUrl }: Place): Place => ({ formId, webhookUrl });

/** All state changes, in the order of a subscription's life. */
export const transitions = {
	/** Before the request: the service may create the hook while its reply is lost. */
	keySent(previous: TriggerState | undefined, place: Place, token: DeliveryToken): TriggerState {
		const state = previous ?? {
			...placeOf(place),
			status: 'stopped',
			generation: 0,
			keys: [],
			baseline: [],
		};
		const keys = [...state.keys, toStoredKey(token)];
		return { ...state, keys: validKeys(keys, state.generation) };
	},

	subscribed(sent: TriggerState, place: Place, made: MadeHook & Start): TriggerState {
		const keys = validKeys(sent.keys, made.generation);
		return { ...placeOf(place), status: 'subscribed', ...made, keys };
	},

	/** n8n starts the trigger: it looks, whatever comes of the request. An earlier hook stays known. */
	started(
		sent: TriggerState,
		place: Place,
		start: Start,
		status: 'polling' | 'subscribed',
	): TriggerState {
		const where = sent.hookId === undefined ? placeOf(place) : { formId: place.formId };
		return { ...sent, ...start, ...where, status, stoppedAt: undefined, isRefused: undefined };
	},

	polling(
		previous: TriggerState | undefined,
		place: Place,
		start: Start,
		now: number,
	): TriggerState {
		const generation = Math.max(now, maxGeneration(previous) + 1);
		return { ...placeOf(place), status: 'polling', generation, keys: [], ...start };
	},

	/** Before the hook is removed, so that a failing service does not make the pause look short. */
	stopped: (state: TriggerState, now: number): TriggerState =>
		state.status === 'stopped' ? state : { ...state, status: 'stopped', stoppedAt: now },

	refused: (state: TriggerState): TriggerState => ({ ...state, isRefused: true }),

	hookRemoved: (state: TriggerState): TriggerState => ({ ...state, hookId: undefined }),
};

/**
 * Whether a new subscription continues the earlier one: that of the same form, wherever it is.
 *
 * @param longestPauseMs how long ago the earlier one may have stopped
 */
export function continues(
	previous: TriggerState | undefined,
	formId: string,
	now: number,
	longestPauseMs: number,
): previous is TriggerState {
	if (previous?.since === undefined) return false;
	if (previous.formId !== formId) return false;
	const pauseMs = previous.status === 'stopped' ? now - (previous.stoppedAt ?? 0) : 0;
	return pauseMs < longestPauseMs;
}

/** Whether a response may predate the first publication. @param completedAt milliseconds */
export const isGuessed = ({ isGuess, since }: Start, completedAt: number): boolean | undefined =>
	isGuess && completedAt < Date.parse(since ?? '') + timing.downtimeMs;
