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

/** A first refusal that comes sooner tells of the service's reserve, not of its rate. */
const RESERVE_MS = 1_000;
/** How much of the next request a service that refuses has saved up: somewhere from nothing to all. */
const SAVED_UP = 0.6;
/** A pace is raised by these factors at the most and at the least. */
const [MOST_GROWTH, LEAST_GROWTH] = [2, 1.01];

/** How many requests may be in flight before the first refusal, which may concern all of them. */
const opening = (accepted: number) =>
	accepted === 0 ? 1 : Math.max(2 + Math.floor(accepted / 2), 2 * accepted - 14);

/**
 * One pace for all requests of a run. The first request goes alone, so that an expired token is refused
 * once; then more and more are in flight until the service refuses one. From there on requests start at
 * even intervals. A service that refuses has nothing left, so what it accepts until it refuses again is
 * its rate, give or take one request. A pace at which n requests were accepted is raised by about an nth.
 * Where that is refused, most of the raise is taken back, and the next one is smaller; else it is greater.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
	const { maxConcurrency, now, sleep, isCanceled } = options;
	let [isLimited, inFlight, intervalMs, nextStart] = [false, 0, 0, -Infinity];
	/** What was accepted of the requests started `since`, and since the pace was set, which may be a raise. */
	let [accepted, since] = [0, NaN];
	let [acceptedAtPace, pacedAt, isRaised] = [0, -Infinity, false];
	let [growth, slowedAt] = [MOST_GROWTH, -Infinity];
	let [wake, turn] = [() => {}, Promise.resolve()];

	const countFrom = (at: number) => ([since, accepted] = [at, 0]);

	function slowDown(startedAt: number, refusedForMs: number) {
		const measuredMs = (startedAt - since) / (accepted + SAVED_UP);
		const isClosed = acceptedAtPace === 0 && measuredMs > refusedForMs;
		const isExact = isRaised || isClosed || accepted * (growth - 1) >= 1;
		const doubt = isRaised ? Math.sqrt(growth) : 1 + 1 / (accepted + 3);
		growth = Math.max(LEAST_GROWTH, Math.min(isClosed ? MOST_GROWTH : growth, doubt));
		if (isRaised) intervalMs *= growth;
		else intervalMs = isClosed ? refusedForMs : measuredMs;
		const pauseMs = isRaised || accepted > 0 ? intervalMs / 2 : intervalMs;
		nextStart = startedAt + Math.min(pauseMs, refusedForMs);
		if (isExact) countFrom(startedAt);
	}

	function refuse(at: number, startedAt: number, refusedForMs: number) {
		// What was under way when the pace was slowed down says nothing about the pace since.
		if (startedAt < slowedAt) return;
		slowedAt = at;
		if (!isLimited) {
			intervalMs = Math.max(RESERVE_MS, startedAt - since) / (accepted + SAVED_UP);
			nextStart = at + Math.min(intervalMs, refusedForMs);
			countFrom(at);
			isLimited = true;
		} else if (accepted === 0 && !isRaised && refusedForMs >= 2_000) {
			// `Retry-After` has whole seconds, so one second says nothing.
			slowedAt = nextStart = at + refusedForMs;
			countFrom(slowedAt);
		} else slowDown(startedAt, refusedForMs);
		[acceptedAtPace, pacedAt, isRaised] = [0, slowedAt, false];
	}

	function accept(at: number, startedAt: number) {
		if (startedAt < since) return;
		accepted++;
		if (!isLimited || startedAt <= pacedAt) return;
		if (++acceptedAtPace * (growth - 1) < 1) return;
		nextStart -= intervalMs - intervalMs / growth;
		intervalMs /= growth;
		growth = Math.min(MOST_GROWTH, growth ** 1.5);
		[acceptedAtPace, pacedAt, isRaised] = [0, at, true];
	}

	async function waitForStart() {
		let start = now();
		while (!isCanceled()) {
			start = Math.max(start, nextStart);
			if (inFlight >= Math.min(maxConcurrency, isLimited ? Infinity : opening(accepted))) {
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
		if (Number.isNaN(since)) since = startedAt;

		return (refusedForMs) => {
			inFlight--;
			if (refusedForMs === undefined) accept(now(), startedAt);
			else refuse(now(), startedAt, refusedForMs);
			wake();
		};
	}

	return { acquire };
}
