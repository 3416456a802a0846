import { timing } from '../timing';
import type { DeliveryToken } from './deliveryToken';
import { hashOf, nextGeneration } from './deliveryToken';

/** Identifies a subscription: another place is another subscription. */
export interface Place {
	formId: string;
	/** Differs for another n8n, and for a test listener. */
	webhookUrl: string;
}

/**
 * - `stopped`: nothing is delivered or polled; not yet started, or ended.
 * - `subscribed`: a hook delivers.
 * - `polling`: an API key polls.
 */
type Status = 'polling' | 'subscribed' | 'stopped';

/** Where a hook was made; undefined in what an earlier version stored. */
export interface Service {
	credentialId?: string;
	baseUrl?: string;
}

/** The stored state of a subscription. */
export interface TriggerState extends Place, Service {
	status: Status;
	/** The latest hook; kept until it is known to be removed. */
	hookId?: string;
	/** Generation of the live key: grows with each subscription, 0 before the first. */
	generation: number;
	/** Of the token of the live key; '' without one. */
	hash: string;
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
	/** When it was refused to be published again: what stopped for that is no pause. In n8n's clock. */
	refusedAt?: number;
	/** Set for test listeners, which n8n stores separately. */
	isTest?: boolean;
}

/** Before a subscription; undefined before the first. */
export type Previous = TriggerState | undefined;

/** Which responses a subscription covers. */
export type Start = Pick<TriggerState, 'since' | 'baseline' | 'nodeId' | 'isGuess'>;

export const NO_KEY = { generation: 0, hash: '' };

/** All state changes, in the order of a subscription's life. */
export const transitions = {
	/** Before the request: a new object, so that whoever is stopped meanwhile notices. */
	begun: (previous: Previous, place: Place): TriggerState =>
		previous ? { ...previous } : { ...place, ...NO_KEY, status: 'stopped', baseline: [] },

	subscribed: (
		place: Place,
		{ generation, token }: DeliveryToken,
		made: Pick<TriggerState, 'hookId'> & Service & Start,
	): TriggerState => ({ ...place, ...made, status: 'subscribed', generation, hash: hashOf(token) }),

	/** n8n starts the trigger: it looks, whatever comes of the request. An earlier hook stays known. */
	started(begun: TriggerState, place: Place, start: Start, status: Status): TriggerState {
		const where = begun.hookId === undefined ? place : { formId: place.formId };
		return { ...begun, ...where, ...start, status, stoppedAt: undefined, refusedAt: undefined };
	},

	polling(previous: Previous, place: Place, start: Start, now: number): TriggerState {
		const generation = nextGeneration(now, previous?.generation);
		return { ...place, ...start, ...NO_KEY, status: 'polling', generation };
	},

	/** Before the hook is removed, so that a failing service does not make the pause look short. */
	stopped(state: TriggerState, now: number): TriggerState {
		// After a publication that failed, n8n stops the trigger once or twice to clean up.
		const isCleanUp = now < (state.refusedAt ?? Infinity) + timing.subscribingMs;
		if (state.status === 'stopped' && isCleanUp) return state;
		return { ...state, status: 'stopped', stoppedAt: now, refusedAt: undefined };
	},

	refused: (state: TriggerState, now: number): TriggerState => ({ ...state, refusedAt: now }),

	hookRemoved: (state: TriggerState): TriggerState => ({ ...state, hookId: undefined }),
};

/**
 * Whether a new subscription continues the earlier one: that of the same form, wherever it is.
 *
 * @param longestPauseMs how long ago the earlier one may have stopped
 */
export function continues(
	previous: Previous,
	formId: string,
	now: number,
	longestPauseMs: number,
): previous is TriggerState {
	if (previous?.since === undefined || previous.formId !== formId) return false;
	const pauseMs = previous.status === 'stopped' ? now - (previous.stoppedAt ?? 0) : 0;
	return pauseMs < longestPauseMs;
}

/** Whether a response may predate the first publication. @param completedAt milliseconds */
export const isGuessed = ({ isGuess, since }: Start, completedAt: number): boolean | undefined =>
	isGuess && completedAt < Date.parse(since ?? '') + timing.downtimeMs;
