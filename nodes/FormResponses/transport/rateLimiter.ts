export interface RateLimiterOptions {
	/** Requests in flight at once, at the most. */
	maxConcurrency: number;
	/** Milliseconds of a clock. */
	now: () => number;
	/** Ends early when the run is canceled. */
	sleep: (ms: number) => Promise<void>;
	isCanceled: () => boolean;
}

/** Tells that a request has ended. `refusedForMs`: the service refused it, until when it may come again. */
type Release = (refusedForMs?: number) => void;

/** Decides when each request of a run starts. */
export interface RateLimiter {
	/** Resolves when the next request may start, or once the run is canceled. */
	acquire(): Promise<Release>;
}

/** A refusal that comes sooner tells of the service's reserve, not of its rate. */
const RESERVE_MS = 500;
/** `Retry-After` has whole seconds, and up to a tenth is added to it (retry.ts): so much of it may be too much. */
const ROUNDED_UP_MS = 1_100;
/** A service that accepts nothing and asks to wait so long is closed, rather than asked too often. */
const CLOSED_MS = 2_000;
/** The step by which the pace changes, at the most and at the least. */
const [MOST_STEP, LEAST_STEP] = [2, 1.02];
/** The exponents of the step when the pace changes the other way, and when it is raised or lowered once more. */
const [TURNED, RAISED_AGAIN, LOWERED_AGAIN] = [0.5, 1.4, 1.1];
/** So many accepted requests, by the size of the step, earn a raise: 20 for a tenth. */
const EARNED = 2;
/** A pace is kept so long at least: a service's reserve must not raise it too far. */
const KEPT_MS = 200;
/** So many accepted requests tell the rate. */
const COUNTED = 50;

/** How many requests may be in flight before the first refusal, which may concern all of them. */
const opening = (accepted: number) =>
	accepted === 0 ? 1 : Math.max(2 + Math.floor(accepted / 4), 2 * accepted - 30);

/**
 * One pace for all requests of a run. The first request goes alone, so that an expired token is refused
 * once; then more and more are in flight until the service refuses one. From there on requests start at
 * even intervals. A refusal lowers the pace by a step, and enough accepted requests raise it by one. The
 * step shrinks with each turn and grows with each raise in a row, so that the pace soon stays close to
 * what the service allows, and follows when that changes.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
	const { maxConcurrency, now, sleep, isCanceled } = options;
	let [inFlight, accepted, firstStart, nextStart] = [0, 0, NaN, -Infinity];
	/** Both are 0 until the first refusal. */
	let [intervalMs, longestMs] = [0, 0];
	let [step, wasRaised] = [MOST_STEP, undefined as boolean | undefined];
	/** Since when this pace is kept, and what was accepted of it. */
	let [pacedAt, acceptedAtPace] = [-Infinity, 0];
	/** A refusal at which the service had nothing left, and what it accepted since. */
	let [emptyAt, acceptedSince] = [Infinity, 0];
	let [wake, turn] = [() => {}, Promise.resolve()];

	function change(isRaised: boolean, at: number) {
		const again = isRaised ? RAISED_AGAIN : LOWERED_AGAIN;
		if (wasRaised !== undefined) step **= isRaised === wasRaised ? again : TURNED;
		step = Math.min(MOST_STEP, Math.max(LEAST_STEP, step));
		intervalMs = Math.min(longestMs, isRaised ? intervalMs / step : intervalMs * step);
		[wasRaised, pacedAt, acceptedAtPace] = [isRaised, at, 0];
	}

	function refuse(at: number, startedAt: number, refusedForMs: number) {
		longestMs = Math.max(longestMs, refusedForMs);
		if (startedAt < pacedAt) return;
		const isFirst = intervalMs === 0;
		const isCounted = wasRaised === false && acceptedSince >= COUNTED;
		const counted = isCounted ? (startedAt - emptyAt) / acceptedSince : 0;
		if (isFirst || wasRaised === false) [emptyAt, acceptedSince] = [startedAt, 0];
		if (isFirst) intervalMs = Math.max(RESERVE_MS, at - firstStart) / Math.max(1, accepted);
		else if (acceptedAtPace > 0 || refusedForMs < CLOSED_MS) change(false, at);
		intervalMs = Math.min(longestMs, Math.max(intervalMs, counted));
		pacedAt = at;
		const next = isFirst ? at + intervalMs : startedAt + intervalMs / 2;
		nextStart = Math.max(at, next, at + refusedForMs - ROUNDED_UP_MS);
	}

	function accept(at: number, startedAt: number) {
		accepted++;
		if (startedAt >= emptyAt) acceptedSince++;
		if (intervalMs === 0 || startedAt < pacedAt) return;
		acceptedAtPace++;
		const isEarned = acceptedAtPace * (step - 1) >= EARNED && at - pacedAt >= KEPT_MS;
		if (isEarned || wasRaised === undefined) change(true, at);
	}

	async function waitForStart() {
		while (!isCanceled()) {
			const most = intervalMs === 0 ? opening(accepted) : maxConcurrency;
			if (inFlight >= Math.min(most, maxConcurrency)) {
				await new Promise<void>((proceed) => (wake = proceed));
			} else if (nextStart > now()) await sleep(nextStart - now());
			else break;
		}
		inFlight++;
		nextStart = now() + intervalMs;
	}

	async function acquire(): Promise<Release> {
		await (turn = turn.then(waitForStart));
		const startedAt = now();
		if (Number.isNaN(firstStart)) firstStart = startedAt;

		return (refusedForMs) => {
			inFlight--;
			if (refusedForMs === undefined) accept(now(), startedAt);
			else refuse(now(), startedAt, refusedForMs);
			wake();
		};
	}

	return { acquire };
}
