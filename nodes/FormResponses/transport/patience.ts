import type { Attempt } from './retry';
import { isPutOff, isTransient, shouldRetry } from './retry';
import type { Outcome } from './types';

export interface PatienceOptions {
	/** No wait may last longer, or begin later after the last request that the service accepted. */
	maxWaitMs: number;
	/** No wait may end later; a time of the same clock as that of the attempts. */
	waitsEndBy: number;
	startedAt: number;
}

/** Decides for all requests of a run how long they are tried again; times in milliseconds of one clock. */
export function createPatience({ maxWaitMs, waitsEndBy, startedAt }: PatienceOptions) {
	let acceptedAt = startedAt;
	/** A refusal for longer than may be waited. */
	let closing: { outcome: Outcome; until: number } | undefined;

	/** What every request comes to until the refusal ends, so that nothing is sent. */
	function foreseen(at: number): Outcome | undefined {
		if (closing && at >= closing.until) closing = undefined;
		return closing?.outcome;
	}

	/** Whether the request is sent again after that delay. */
	function permits(attempt: Attempt, delay: number): boolean {
		const { outcome, at } = attempt;
		const isRefused = isPutOff(attempt);
		if (!isRefused && !isTransient(outcome)) acceptedAt = at;
		if (!shouldRetry(attempt)) return false;
		const isHopeful = Math.max(delay, at - acceptedAt) <= maxWaitMs;
		const isPermitted = isHopeful && at + delay <= waitsEndBy;
		if (isRefused && !isPermitted) closing ??= { outcome, until: at + delay };
		return isPermitted;
	}

	return { foreseen, permits };
}
