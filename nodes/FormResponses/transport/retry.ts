import type { ApiRequest, Outcome } from './types';

const MAX_RETRIES = 3;

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
const MIN_RATE_WAIT_MS = 100;

export interface Attempt {
	method: ApiRequest['method'];
	outcome: Outcome;
	/** Earlier attempts that the service deferred. */
	refusals: number;
	/** Earlier attempts that failed otherwise. */
	faults: number;
}

/** Adds the Date that an answer lacks (RFC 9110, section 6.6.1). */
export const dated = (outcome: Outcome, now: number): Outcome =>
	outcome.kind === 'answer'
		? { ...outcome, headers: { date: new Date(now).toUTCString(), ...outcome.headers } }
		: outcome;

/**
 * Milliseconds until `Retry-After`: seconds, or an HTTP date in the server's clock (RFC 9110, section 10.2.3).
 * Undefined if the header is missing or invalid.
 */
export function retryAfterMs({
	'retry-after': header,
	date,
}: Record<string, string | undefined>): number | undefined {
	const value = header?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
	// Date.parse reads "3600 (one hour)" as the year 3600.
	const ms = /\d:\d\d/.test(value) ? Date.parse(value) - Date.parse(date ?? '') : NaN;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Whether the service asks to retry later (RFC 9110, section 10.2.3; RFC 6585, section 4). */
export const isDeferred = (outcome: Outcome): boolean =>
	outcome.kind === 'answer' &&
	(outcome.status === 429 || (outcome.status >= 500 && !!retryAfterMs(outcome.headers)));

export const isTransient = (outcome: Outcome): boolean =>
	outcome.kind === 'fault' ||
	outcome.kind === 'unreadable' ||
	(outcome.kind === 'answer' && outcome.status >= 500) ||
	(outcome.kind === 'tokenless' && outcome.isTransient);

/**
 * Whether to retry. After 429 any method is safe, because nothing happened. After a server error or network
 * fault, a POST may have been carried out, so it is not retried.
 */
export function shouldRetry({ method, outcome, faults }: Attempt): boolean {
	if (outcome.kind === 'answer' && outcome.status === 429) return true;
	const isUndone = method !== 'POST' || outcome.kind === 'tokenless';
	return isUndone && (isDeferred(outcome) || (isTransient(outcome) && faults < MAX_RETRIES));
}

/** The wait that the service asks for, in milliseconds; undefined if none. */
export const askedWaitMs = (outcome: Outcome): number | undefined =>
	outcome.kind === 'answer' && isDeferred(outcome)
		? retryAfterMs(outcome.headers) || undefined
		: undefined;

const exponential = (firstMs: number, times: number) =>
	Math.min(MAX_BACKOFF_MS, firstMs * 2 ** times);

/**
 * Milliseconds before the retry. If deferred: `Retry-After` plus up to a tenth, which spreads waiting requests.
 * Otherwise: exponential backoff plus up to the same again.
 */
export function retryDelay({ outcome, refusals, faults }: Attempt, random: number): number {
	if (outcome.kind === 'answer' && isDeferred(outcome)) {
		const asked = retryAfterMs(outcome.headers) ?? exponential(FIRST_BACKOFF_MS, refusals);
		const wait = asked < MIN_RATE_WAIT_MS ? exponential(MIN_RATE_WAIT_MS, refusals) : asked;
		return wait + random * Math.max(MIN_RATE_WAIT_MS, wait / 10);
	}
	return (1 + random) * exponential(FIRST_BACKOFF_MS, faults);
}
