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
	/** When the attempt ended. */
	at: number;
}

/**
 * Milliseconds until `Retry-After`: seconds, or an HTTP date in the server's clock (RFC 9110, section 10.2.3).
 * Undefined if the header is missing or invalid.
 *
 * @param now used if the answer has no Date header
 */
export function retryAfterMs(
	{ 'retry-after': header, date }: Record<string, string | undefined>,
	now: number,
): number | undefined {
	const value = header?.trim();
	if (!value) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
	// Date.parse reads "3600 (one hour)" as the year 3600.
	const until = /\d:\d\d/.test(value) ? Date.parse(value) : NaN;
	const answeredAt = Date.parse(date ?? '');
	return Number.isNaN(until)
		? undefined
		: Math.max(0, until - (Number.isNaN(answeredAt) ? now : answeredAt));
}

/** Whether the service asks to retry later (RFC 9110, section 10.2.3; RFC 6585, section 4). */
export const isDeferred = ({ outcome, at }: Pick<Attempt, 'outcome' | 'at'>): boolean =>
	outcome.kind === 'answer' &&
	(outcome.status === 429 || (outcome.status >= 500 && !!retryAfterMs(outcome.headers, at)));

export const isTransient = (outcome: Outcome): boolean =>
	outcome.kind === 'fault' ||
	outcome.kind === 'unreadable' ||
	(outcome.kind === 'answer' && outcome.status >= 500) ||
	(outcome.kind === 'tokenless' && outcome.isTransient);

/**
 * Whether to retry. After 429 any method is safe, because nothing happened. After a server error or network
 * fault, a POST may have been carried out, so it is not retried.
 */
export function shouldRetry({ method, outcome, faults, at }: Attempt): boolean {
	if (outcome.kind === 'answer' && outcome.status === 429) return true;
	const isUndone = method !== 'POST' || outcome.kind === 'tokenless';
	return (
		isUndone && (isDeferred({ outcome, at }) || (isTransient(outcome) && faults < MAX_RETRIES))
	);
}

/** The wait that the service asks for, in milliseconds; undefined if none. */
export const askedWaitMs = ({
	outcome,
	at,
}: Pick<Attempt, 'outcome' | 'at'>): number | undefined =>
	outcome.kind === 'answer' && isDeferred({ outcome, at })
		? retryAfterMs(outcome.headers, at) || undefined
		: undefined;

const exponential = (firstMs: number, times: number) =>
	Math.min(MAX_BACKOFF_MS, firstMs * 2 ** Math.min(times, 16));

/**
 * Milliseconds before the retry. If deferred: `Retry-After` plus up to a tenth, which spreads waiting requests.
 * Otherwise: exponential backoff plus up to the same again.
 */
export function retryDelay({ outcome, refusals, faults, at }: Attempt, random: number): number {
	if (outcome.kind === 'answer' && isDeferred({ outcome, at })) {
		const asked = retryAfterMs(outcome.headers, at) ?? exponential(FIRST_BACKOFF_MS, refusals);
		const wait = asked < MIN_RATE_WAIT_MS ? exponential(MIN_RATE_WAIT_MS, refusals) : asked;
		return wait + random * Math.max(MIN_RATE_WAIT_MS, wait / 10);
	}
	return (1 + random) * exponential(FIRST_BACKOFF_MS, faults);
}
