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

/** Each of them earns its place in a simulation (docs/benchmarks.md). */
export const TUNING = {
	/** A first refusal that comes sooner tells of the service's reserve, not of its rate. */
	reserveMs: 1_000,
	/** What a service that refuses a request has saved up for it: somewhere from nothing to all. */
	savedUp: 0.6,
	/** A pace is raised by this factor at first, and later by less. */
	growth: 2,
	leastGrowth: 1.01,
};

/** How many requests may be in flight before the first refusal, which may concern all of them. */
const opening = (accepted: number) =>
	accepted === 0 ? 1 : Math.max(2 + Math.floor(accepted / 2), 2 * accepted - 14);

/**
 * One pace for all requests of a run. The first request goes alone, so that an expired token is refused
 * once; then more and more are in flight until the service refuses one. From there on requests start at
 * even intervals. A service that refuses has nothing left, so what it accepts until it refuses again is
 * its rate, give or take one request. A pace at which n requests were accepted is raised by about an nth.
 * Where that is refused, half of the raise is taken back, and the next one is smaller.
 */
export function createRateLimiter(
	{ maxConcurrency, now, sleep, isCanceled }: RateLimiterOptions,
	tuning = TUNING,
): RateLimiter {
	let isLimited = false;
	let inFlight = 0;
	let intervalMs = 0;
	let nextStart = -Infinity;
	/** What is accepted is counted from here on. */
	let since: number | undefined;
	let accepted = 0;
	let acceptedAtPace = 0;
	let pacedAt = -Infinity;
	let slowedAt = -Infinity;
	let raises = 0;
	let { growth } = tuning;
	let wake = () => {};
	let turn = Promise.resolve();

	const most = () => (isLimited ? maxConcurrency : Math.min(maxConcurrency, opening(accepted)));

	function countFrom(at: number) {
		since = at;
		accepted = 0;
	}

	function slowDown(startedAt: number, refusedForMs: number) {
		const measuredMs = (startedAt - since!) / (accepted + tuning.savedUp);
		const isRaised = raises > 0;
		const isClosed = acceptedAtPace === 0 && measuredMs > refusedForMs;
		const isExact = accepted * (growth - 1) >= 1;
		if (isClosed) growth = tuning.growth;
		const doubt = isRaised ? Math.sqrt(growth) : 1 + 1 / (accepted + 3);
		growth = Math.max(tuning.leastGrowth, Math.min(growth, doubt));
		intervalMs = isRaised
			? intervalMs * growth
			: Math.min(measuredMs, isClosed ? refusedForMs : Infinity);
		// What is saved up by now shortens the wait for the next one.
		const pauseMs = accepted > 0 || isRaised ? intervalMs / 2 : intervalMs;
		nextStart = startedAt + Math.min(pauseMs, refusedForMs);
		if (isRaised || isExact || isClosed) countFrom(startedAt);
	}

	function refuse(at: number, startedAt: number, refusedForMs: number) {
		// What was under way then says nothing about the pace since.
		if (startedAt < slowedAt) return;
		slowedAt = at;
		if (!isLimited) {
			intervalMs = Math.max(tuning.reserveMs, startedAt - since!) / (accepted + tuning.savedUp);
			nextStart = at + Math.min(intervalMs, refusedForMs);
			countFrom(at);
			isLimited = true;
		} else if (accepted === 0 && raises === 0 && refusedForMs >= 2_000) {
			slowedAt = nextStart = at + refusedForMs;
			countFrom(slowedAt);
		} else slowDown(startedAt, refusedForMs);
		pacedAt = slowedAt;
		acceptedAtPace = 0;
		raises = 0;
	}

	function accept(at: number, startedAt: number) {
		if (startedAt < since!) return;
		accepted++;
		if (!isLimited || startedAt <= pacedAt) return;
		acceptedAtPace++;
		if (acceptedAtPace * (growth - 1) < 1) return;
		if (raises > 0) growth = Math.min(tuning.growth, growth ** 1.5);
		nextStart -= intervalMs - intervalMs / growth;
		intervalMs /= growth;
		pacedAt = at;
		acceptedAtPace = 0;
		raises++;
	}

	async function waitForStart() {
		let start = now();
		while (!isCanceled()) {
			start = Math.max(start, nextStart);
			if (inFlight >= most()) {
				await new Promise<void>((proceed) => (wake = proceed));
				start = now();
			} else if (start > now()) await sleep(start - now());
			else break;
		}
		inFlight++;
		nextStart = start + intervalMs;
	}

	async function acquire(): Promise<Release> {
		await (turn = turn.then(waitForStart));
		const startedAt = now();
		since ??= startedAt;

		return (refusedForMs) => {
			inFlight--;
			if (refusedForMs === undefined) accept(now(), startedAt);
			else refuse(now(), startedAt, refusedForMs);
			wake();
		};
	}

	return { acquire };
}
