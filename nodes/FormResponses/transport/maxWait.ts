import type { Attempt } from './retry';
import { isDeferred, isTransient, shouldRetry } from './retry';
import type { Outcome } from './types';

/** How long an action waits for a service that defers its requests, if nothing else is said. */
const ACTION_WAIT_MS = 5 * 60_000;

export interface MaxWaitOptions {
	/** Maximum length of one wait, and of the time since the service last accepted a request. */
	maxWaitMs?: number;
	/** The deadline for all waits. */
	waitsEndBy: number;
	startedAt: number;
}

/** Decides how long the requests of a run are retried; times in monotonic milliseconds. */
export function createMaxWait({
	maxWaitMs = ACTION_WAIT_MS,
	waitsEndBy,
	startedAt,
}: MaxWaitOptions) {
	let acceptedAt = startedAt;
	/** A refusal that lasts longer than the allowed wait. */
	let closed: { outcome: Outcome; until: number } | undefined;

	/** The outcome for all requests until that refusal ends; nothing is sent. */
	function refusal(at: number): Outcome | undefined {
		if (closed && at >= closed.until) closed = undefined;
		return closed?.outcome;
	}

	/** @param at when the attempt ended */
	function permits(attempt: Attempt, at: number, delay: number): boolean {
		const { outcome } = attempt;
		const isRefused = isDeferred(outcome);
		if (!isRefused && !isTransient(outcome)) acceptedAt = at;
		if (!shouldRetry(attempt)) return false;
		const isHopeful = Math.max(delay, at - acceptedAt) <= maxWaitMs;
		const isPermitted = isHopeful && at + delay <= waitsEndBy;
		if (isRefused && !isPermitted) closed ??= { outcome, until: at + delay };
		return isPermitted;
	}

	return { refusal, permits };
}
