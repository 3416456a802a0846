/**
 * A refusal that comes sooner tells of the service's reserve, not of its rate. Rates are round numbers: a
 * little slower than one, so that no delay on the way makes a request too early.
 */
const RESERVE_MS = 505;
/** The longest interval, as a multiple of the longest `Retry-After`: a little slower, for the same reason. */
const LONGEST = 1.04;
/** `Retry-After` has whole seconds: so much of it may be too much. */
export const ROUNDED_UP_MS = 1_000;
/** A service that accepts nothing and asks to wait so long is closed, rather than asked too often. */
const CLOSED_MS = 2_000;
/** The step by which the interval changes, at the most and at the least. */
const [MOST_STEP, LEAST_STEP] = [2, 1.03];
/** The exponents of the step when the pace changes the other way, and when it is raised or lowered once more. */
const [TURNED, RAISED_AGAIN, LOWERED_AGAIN] = [0.5, 1.4, 1.1];
/** So many accepted requests, by the size of the step, earn a raise: 20 for a tenth. */
const EARNED = 2;
/** An interval is kept so long at least: what a service has in reserve must not raise the pace too far. */
const KEPT_MS = 200;

/** When requests of a run may start, from what became of those before; times in milliseconds of one clock. */
export function createPace() {
	let [accepted, firstStart, lastStart, closedUntil] = [0, NaN, -Infinity, -Infinity];
	/** Both are 0 until the first refusal. */
	let [intervalMs, longestMs] = [0, 0];
	let [step, wasRaised] = [MOST_STEP, undefined as boolean | undefined];
	/** Since when this interval is kept, and how many requests of it were accepted. */
	let [keptSince, acceptedOfIt] = [-Infinity, 0];

	function change(isRaised: boolean, at: number) {
		const again = isRaised ? RAISED_AGAIN : LOWERED_AGAIN;
		if (wasRaised !== undefined) step **= isRaised === wasRaised ? again : TURNED;
		step = Math.min(MOST_STEP, Math.max(LEAST_STEP, step));
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
		const isEarned = acceptedOfIt * (step - 1) >= EARNED && at - keptSince >= KEPT_MS;
		if (isEarned || wasRaised === undefined) change(true, at);
	}

	function refuse(at: number, startedAt: number, refusedForMs: number) {
		longestMs = Math.max(longestMs, refusedForMs * LONGEST);
		if (startedAt < keptSince) return;
		const isFirst = intervalMs === 0;
		if (isFirst) intervalMs = Math.max(RESERVE_MS, at - firstStart) / Math.max(1, accepted);
		else if (acceptedOfIt > 0 || refusedForMs < CLOSED_MS) change(false, at);
		intervalMs = Math.min(longestMs, intervalMs);
		keptSince = at;
		closedUntil = at + Math.max(isFirst ? intervalMs : 0, refusedForMs - ROUNDED_UP_MS);
	}

	/** How many requests may be in flight before the first refusal, which may concern all of them. */
	const opening = () =>
		accepted === 0 ? 1 : Math.max(2 + Math.floor(accepted / 4), 2 * accepted - 30);

	const mostInFlight = () => (intervalMs === 0 ? opening() : Infinity);
	const nextStart = () => Math.max(closedUntil, lastStart + intervalMs);
	return { start, accept, refuse, mostInFlight, nextStart };
}
