import type { ApiRequest, Outcome } from './types';

/** How often a server error or a network fault is tried again. */
const MAX_RETRIES = 3;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
const SHORTEST_RATE_WAIT_MS = 100;

export interface Attempt {
	method: ApiRequest['method'];
	outcome: Outcome;
	/** How often the request was put off, before this attempt. */
	refusals: number;
	/** How often it failed otherwise, before this attempt. */
	faults: number;
	/** When it ended. */
	at: number;
}

/**
 * Milliseconds until `Retry-After` allows the next request: seconds, or an HTTP date (RFC 9110,
 * section 10.2.3), which goes by the clock of who answers. Undefined where the header is missing or
 * says neither.
 *
 * @param now used where the answer has no date of its own
 */
export function retryAfterMs(
	{ 'retry-after': header, date }: Record<string, string | undefined>,
	now: number,
): number | undefined {
	const value = header?.trim();
	if (!value) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
	// Date.parse takes "3600 (one hour)" for the year 3600.
	const until = /\d:\d\d/.test(value) ? Date.parse(value) : NaN;
	const answeredAt = Date.parse(date ?? '');
	return Number.isNaN(until)
		? undefined
		: Math.max(0, until - (Number.isNaN(answeredAt) ? now : answeredAt));
}

/** Whether the service says to come back later (RFC 9110, section 10.2.3; RFC 6585, section 4). */
export const isPutOff = ({ outcome, at }: Pick<Attempt, 'outcome' | 'at'>): boolean =>
	outcome.kind === 'answer' &&
	(outcome.status === 429 || (outcome.status >= 500 && !!retryAfterMs(outcome.headers, at)));

export const isTransient = (outcome: Outcome): boolean =>
	outcome.kind === 'fault' ||
	outcome.kind === 'unreadable' ||
	(outcome.kind === 'answer' && outcome.status >= 500) ||
	(outcome.kind === 'tokenless' && outcome.isTransient);

/**
 * Whether to send the request again. A 429 was refused before anything happened, so any method may be
 * repeated; after a server error or a network fault a POST may have been carried out, so it is not.
 */
export function shouldRetry({ method, outcome, faults, at }: Attempt): boolean {
	if (outcome.kind === 'answer' && outcome.status === 429) return true;
	const isUndone = method !== 'POST' || outcome.kind === 'tokenless';
	return isUndone && (isPutOff({ outcome, at }) || (isTransient(outcome) && faults < MAX_RETRIES));
}

/** Milliseconds that the service asks to wait; undefined where it asks nothing. */
export const askedWaitMs = ({
	outcome,
	at,
}: Pick<Attempt, 'outcome' | 'at'>): number | undefined =>
	outcome.kind === 'answer' && isPutOff({ outcome, at })
		? retryAfterMs(outcome.headers, at) || undefined
		: undefined;

const exponential = (firstMs: number, times: number) =>
	Math.min(LONGEST_BACKOFF_MS, firstMs * 2 ** Math.min(times, 16));

/**
 * Milliseconds to wait before the request is repeated. Put off: as `Retry-After` says plus up to a tenth
 * of it, so that waiting requests do not return as one. Anything else: exponential, up to twice as long.
 */
export function retryDelay({ outcome, refusals, faults, at }: Attempt, random: number): number {
	if (outcome.kind === 'answer' && isPutOff({ outcome, at })) {
		const asked = retryAfterMs(outcome.headers, at) ?? exponential(FIRST_BACKOFF_MS, refusals);
		const wait =
			asked < SHORTEST_RATE_WAIT_MS ? exponential(SHORTEST_RATE_WAIT_MS, refusals) : asked;
		return wait + random * Math.max(SHORTEST_RATE_WAIT_MS, wait / 10);
	}
	return (1 + random) * exponential(FIRST_BACKOFF_MS, faults);
}
