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

/** What the rate is worked out by. Each of them earns its place in a simulation (docs/benchmarks.md). */
export const TUNING = {
	/** What was accepted in this time is the rate, and the rate is raised as often. */
	windowMs: 1_000,
	/** The first refusal comes while many others are under way; of those so many are taken to be accepted. */
	shareUnderWay: 0.5,
	/** Without a refusal the run becomes faster by this factor every window. */
	growth: 1.1,
	/** One refusal makes it slower by this factor at the most, as it may have asked for less than it may have. */
	mostSlower: 2,
};

/**
 * One rate for all requests of a run. The first request goes alone, so that an expired token is refused
 * once. Then as many as `maxConcurrency` are in flight, until the service refuses one. What it accepted
 * within the second before is what it allows, so from there on requests start at even intervals, as
 * many in a second, and some more every second until it refuses again. As each try at more costs a
 * refusal, a rate that was measured twice in a row is kept for two seconds before the next one, after
 * three times for three, and so on, up to the time in which it would double. A service that accepted
 * nothing in that second is left in peace until it allows.
 */
export function createRateLimiter(
	{ maxConcurrency, now, sleep, isCanceled }: RateLimiterOptions,
	{ windowMs, shareUnderWay, growth, mostSlower } = TUNING,
): RateLimiter {
	const mostWindowsKept = Math.log(mostSlower) / Math.log(growth);
	let limit = 1;
	let inFlight = 0;
	let intervalMs = 0;
	let nextStart = -Infinity;
	let holdUntil = -Infinity;
	/** When the rate was last measured: the service's allowance was used up then. */
	let measuredAt = -Infinity;
	let raisedAt = -Infinity;
	/** How often in a row about the same rate was measured. */
	let timesMeasured = 0;
	/** How long the rate is kept before it is raised. */
	let keptMs = windowMs;
	/** When the last requests were accepted, and when the first one was started. */
	let accepted: number[] = [];
	let firstStart: number | undefined;
	const queue: Array<() => void> = [];

	function refuse(at: number, refusedForMs: number) {
		const since = Math.max(measuredAt, firstStart ?? at, at - windowMs);
		const underWay = measuredAt === -Infinity ? inFlight * shareUnderWay : 0;
		const count = accepted.filter((time) => time >= since).length + underWay;
		if (count > 0) {
			const measuredMs = (at - since) / count;
			const before = intervalMs;
			intervalMs = Math.min(measuredMs, before > 0 ? before * mostSlower : Infinity);
			const change = Math.max(intervalMs / before, before / intervalMs);
			timesMeasured = change < growth ? timesMeasured + 1 : 1;
			keptMs = windowMs * Math.min(timesMeasured, mostWindowsKept);
		} else {
			holdUntil = Math.max(holdUntil, at + refusedForMs);
		}
		accepted = [];
		measuredAt = at;
		raisedAt = at;
	}

	function accept(at: number) {
		while (accepted[0] < at - windowMs) accepted.shift();
		accepted.push(at);
		limit = maxConcurrency;
		if (at - raisedAt < keptMs) return;
		intervalMs /= growth;
		raisedAt = at;
		keptMs = windowMs;
	}

	async function acquire(): Promise<Release> {
		while (inFlight >= limit && !isCanceled()) {
			await new Promise<void>((proceed) => queue.push(proceed));
		}
		inFlight++;
		for (let at = now(); !isCanceled(); at = now()) {
			const start = Math.max(at, nextStart, holdUntil);
			nextStart = start + intervalMs;
			if (start > at) await sleep(start - at);
			if (now() >= holdUntil) break;
		}
		const startedAt = now();
		firstStart ??= startedAt;

		return (refusedForMs) => {
			inFlight--;
			const at = now();
			if (refusedForMs === undefined) accept(at);
			// Requests that were under way when the rate was measured say nothing about the rate since.
			else if (startedAt >= measuredAt) refuse(at, refusedForMs);
			const free = isCanceled() ? queue.length : Math.max(1, limit - inFlight);
			queue.splice(0, free).forEach((proceed) => proceed());
		};
	}

	return { acquire };
}
