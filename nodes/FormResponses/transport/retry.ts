import type { ApiRequest, Outcome } from './types';

/** How often a server error or a network fault is tried again. */
export const MAX_RETRIES = 3;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
const SHORTEST_RATE_WAIT_MS = 100;

export interface Attempt {
	method: ApiRequest['method'];
	outcome: Outcome;
	/** How many times the request was already repeated. */
	retries: number;
}

export const isRateLimited = (outcome: Outcome): boolean =>
	outcome.kind === 'answer' && outcome.status === 429;

const isTransient = (outcome: Outcome): boolean =>
	outcome.kind === 'fault' || (outcome.kind === 'answer' && outcome.status >= 500);

/**
 * Whether to send the request again. A 429 was refused before anything happened, so any method may be
 * repeated; after a server error or a network fault a POST may have been carried out, so it is not.
 */
export function shouldRetry({ method, outcome, retries }: Attempt): boolean {
	if (isRateLimited(outcome)) return true;
	return isTransient(outcome) && method !== 'POST' && retries < MAX_RETRIES;
}

/**
 * Milliseconds until `Retry-After` allows the next request: seconds or an HTTP date (RFC 9110,
 * section 10.2.3). Undefined where the header is missing or says neither.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
	const value = header?.trim();
	if (!value) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
	const date = Date.parse(value);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const exponential = (firstMs: number, retries: number) =>
	Math.min(LONGEST_BACKOFF_MS, firstMs * 2 ** Math.min(retries, 16));

/**
 * Milliseconds to wait before the request is repeated. A rate limit: as `Retry-After` says plus up to
 * a tenth of it, so that waiting requests do not return as one. Anything else: exponential, full jitter.
 */
export function retryDelay({ outcome, retries }: Attempt, now: number, random: number): number {
	if (outcome.kind === 'answer' && outcome.status === 429) {
		const asked = retryAfterMs(outcome.headers['retry-after'], now);
		const floor = exponential(SHORTEST_RATE_WAIT_MS, retries);
		const wait = asked === undefined ? exponential(FIRST_BACKOFF_MS, retries) : asked;
		return Math.max(wait, floor) + random * Math.max(SHORTEST_RATE_WAIT_MS, wait / 10);
	}
	return random * exponential(FIRST_BACKOFF_MS, retries);
}
