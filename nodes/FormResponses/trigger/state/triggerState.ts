import { timing } from '../timing';
import type { StoredKey } from './hookKey';
import { NO_KEY } from './hookKey';

/** What a subscription is for: another place is another subscription. */
export interface Place {
	formId: string;
	/** Differs for another n8n, and for a test listener. */
	webhookUrl: string;
	/** Of a hook; missing where n8n tells none. */
	credentialId?: string;
	/** Of a hook. */
	baseUrl?: string;
}

/** Whose state it is: n8n copies it with a workflow, and stores it by the node's name. */
export interface Owner {
	workflowId?: string;
	nodeId: string;
	/** Of n8n, the same in all its processes. */
	instanceId: string;
}

/** Which responses a subscription covers. */
export interface Start {
	/** Responses completed earlier do not count. In the service's clock; '' for all. */
	since: string;
	/** Keys of the responses that existed when polling began. */
	baseline: string[];
	/** What was completed earlier may have run in another n8n, or predate the first publication. */
	guessUntil?: string;
}

/** A hook that the service has, with its key; without the rest where the answer to its creation was lost. */
export interface LiveHook extends StoredKey {
	/** Kept until it is known to be removed. */
	hookId?: string;
	/** In the service's clock. */
	hookMadeAt?: string;
}

/**
 * - `stopped`: nothing is delivered or polled; not yet started, or ended.
 * - `subscribed`: a hook delivers.
 * - `polling`: an API key polls.
 */
type Status = 'polling' | 'subscribed' | 'stopped';

/** The stored state of a subscription. */
export interface TriggerState extends Place, Owner, Start, LiveHook {
	status: Status;
	/** Milliseconds, in n8n's clock. */
	stoppedAt?: number;
	/** When it was refused to be published again: what stopped for that is no pause. In n8n's clock. */
	refusedAt?: number;
	/** Set for test listeners, which n8n stores separately. */
	isTest?: boolean;
}

/** Before a subscription; undefined before the first. */
export type Previous = TriggerState | undefined;

/** All state changes, in the order of a subscription's life. */
export const transitions = {
	subscribed: (place: Place, owner: Owner, hook: LiveHook, start: Start) =>
		({ ...place, ...owner, ...start, ...hook, status: 'subscribed' }) as TriggerState,

	/** The trigger runs, with the hook that there is, if any. */
	running: (state: TriggerState): TriggerState => ({
		...state,
		stoppedAt: undefined,
		refusedAt: undefined,
	}),

	polling: (place: Place, owner: Owner, start: Start, now: number): TriggerState => ({
		...place,
		...owner,
		...start,
		...NO_KEY,
		keyMadeAt: now,
		status: 'polling',
	}),

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
	if (previous?.formId !== formId) return false;
	const pauseMs = previous.status === 'stopped' ? now - (previous.stoppedAt ?? 0) : 0;
	return pauseMs < longestPauseMs;
}
