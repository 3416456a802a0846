import type { ApiRequest, Outcome } from './types';

/** How often a server error or a network fault is tried again. */
export const MAX_RETRIES = 3;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
const SHORTEST_RATE_WAIT_MS = 100;

export interface Attempt {
	method: ApiRequest['method'];
	outcome: Outcome;
	/** How often the request was refused because of a rate limit, before this attempt. */
	refusals: number;
	/** How often it failed otherwise, before this attempt. */
	faults: number;
}

export const isRateLimited = (outcome: Outcome): boolean =>
	outcome.kind === 'answer' && outcome.status === 429;

export const isTransient = (outcome: Outcome): boolean =>
	outcome.kind === 'fault' ||
	(outcome.kind === 'answer' && outcome.status >= 500) ||
	(outcome.kind === 'tokenless' && outcome.isTransient);

/**
 * Whether to send the request again. A 429 was refused before anything happened, so any method may be
 * repeated; after a server error or a network fault a POST may have been carried out, so it is not.
 */
export function shouldRetry({ method, outcome, faults }: Attempt): boolean {
	if (isRateLimited(outcome)) return true;
	const isUndone = method !== 'POST' || outcome.kind === 'tokenless';
	return isTransient(outcome) && isUndone && faults < MAX_RETRIES;
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
	const until = Date.parse(value);
	const answeredAt = Date.parse(date ?? '');
	return Number.isNaN(until)
		? undefined
		: Math.max(0, until - (Number.isNaN(answeredAt) ? now : answeredAt));
}

const exponential = (firstMs: number, times: number) =>
	Math.min(LONGEST_BACKOFF_MS, firstMs * 2 ** Math.min(times, 16));

/**
 * Milliseconds to wait before the request is repeated. A rate limit: as `Retry-After` says plus up to
 * a tenth of it, so that waiting requests do not return as one. Anything else: exponential, full jitter.
 */
export function retryDelay(
	{ outcome, refusals, faults }: Attempt,
	now: number,
	random: number,
): number {
	if (outcome.kind === 'answer' && outcome.status === 429) {
		const asked = retryAfterMs(outcome.headers, now) ?? exponential(FIRST_BACKOFF_MS, refusals);
		const wait =
			asked < SHORTEST_RATE_WAIT_MS ? exponential(SHORTEST_RATE_WAIT_MS, refusals) : asked;
		return wait + random * Math.max(SHORTEST_RATE_WAIT_MS, wait / 10);
	}
	return random * exponential(FIRST_BACKOFF_MS, faults);
}
