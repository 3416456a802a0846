/**
 * An earlier refusal reflects the burst allowance, not the rate. Slightly above 500, because rates are round
 * numbers: network delay must not make a request too early.
 */
const RESERVE_MS = 505;
/** The maximum interval, as a multiple of the longest `Retry-After`; slightly above 1 for the same reason. */
const MAX_RATIO = 1.04;
/** `Retry-After` has whole seconds, so it may be too long by this much. */
export const ROUNDED_UP_MS = 1_000;
/** A service that accepts nothing and asks for at least this wait is down, not rate-limiting. */
const CLOSED_MS = 2_000;
/** Bounds of the factor by which the interval changes. */
const [MAX_STEP, MIN_STEP] = [2, 1.03];
/** Exponents of the factor after a change of direction, and after a second raise or cut in a row. */
const [TURNED, RAISED_AGAIN, LOWERED_AGAIN] = [0.5, 1.4, 1.1];
/** Accepted requests, times the step's excess over 1, that earn a raise: 20 requests at a step of 1.1. */
const EARNED = 2;

/** Computes when the next request may start, from the outcomes so far; times in monotonic milliseconds. */
export function createRateEstimate() {
	let [accepted, firstStart, lastStart, closedUntil] = [0, NaN, -Infinity, -Infinity];
	/** 0 until the first refusal. */
	let [intervalMs, maxMs] = [0, 0];
	let [step, wasRaised] = [MAX_STEP, undefined as boolean | undefined];
	/** When the current interval began, and how many of its requests were accepted. */
	let [keptSince, acceptedOfIt] = [-Infinity, 0];

	function change(isRaised: boolean, at: number) {
		const again = isRaised ? RAISED_AGAIN : LOWERED_AGAIN;
		if (wasRaised !== undefined) step **= isRaised === wasRaised ? again : TURNED;
		step = Math.min(MAX_STEP, Math.max(MIN_STEP, step));
		intervalMs *= isRaised ? 1 / step : step;
		[wasRaised, keptSince, acceptedOfIt] = [isRaised, at, 0];
	}

	function start(at: number) {
		if (Number.isNaN(firstStart)) firstStart = at;
		lastStart = at;
	}

	function accept(at: number, startedAt: number) {
		accepted++;
		if (intervalMs === 0 || startedAt < keptSince) return;
		acceptedOfIt++;
		if (acceptedOfIt * (step - 1) >= EARNED || wasRaised === undefined) change(true, at);
	}

	function refuse(at: number, startedAt: number, refusedForMs: number) {
		maxMs = Math.max(maxMs, refusedForMs * MAX_RATIO);
		if (startedAt < keptSince) return;
		const isFirst = intervalMs === 0;
		if (isFirst) intervalMs = Math.max(RESERVE_MS, at - firstStart) / Math.max(1, accepted);
		else if (acceptedOfIt > 0 || refusedForMs < CLOSED_MS) change(false, at);
		intervalMs = Math.min(maxMs, intervalMs);
		keptSince = at;
		closedUntil = at + Math.max(isFirst ? intervalMs : 0, refusedForMs - ROUNDED_UP_MS);
	}

	/** Limits requests in flight before the first refusal, which may hit all of them. */
	const opening = () =>
		accepted === 0 ? 1 : Math.max(Math.min(5, 2 + Math.floor(accepted / 2)), accepted - 5);

	const maxInFlight = () => (intervalMs === 0 ? opening() : Infinity);
	const nextStart = () => Math.max(closedUntil, lastStart + intervalMs);
	return { start, accept, refuse, maxInFlight, nextStart };
}
