import { createPace, ROUNDED_UP_MS } from './pace';

export interface RateLimiterOptions {
	/** Requests in flight at once, at the most. */
	maxConcurrency: number;
	/** Milliseconds of a clock. */
	now: () => number;
	/** Ends early when the run is canceled. */
	sleep: (ms: number) => Promise<void>;
	isCanceled: () => boolean;
}

/**
 * Tells that a request has ended. `refusedForMs`: the service refused it, and says when to come again.
 * Resolves if it may come sooner: once the service accepts a request that started later. Else never.
 */
type Release = (refusedForMs?: number) => Promise<void>;

/** Decides when each request of a run starts. */
export interface RateLimiter {
	/** Resolves when the next request may start, or once the run is canceled. */
	acquire(): Promise<Release>;
}

/**
 * One pace for all requests of a run. The first request goes alone, so that an expired token is refused
 * once; then more and more are in flight until the service refuses one. From there on requests start at
 * even intervals. A refusal lowers the pace by a step, and enough accepted requests raise it by one. The
 * step shrinks with each turn and grows with each raise in a row, so that the pace soon stays close to
 * what the service allows, and follows when that changes.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
	const { maxConcurrency, now, sleep, isCanceled } = options;
	const pace = createPace();
	let [inFlight, turn] = [0, Promise.resolve()];
	/** Ends the wait for the next start, because something has changed. */
	let reconsider = () => {};
	/** Refused for a short time; and when the last that was refused had started. */
	let [refused, refusedAt] = [[] as Array<() => void>, 0];

	async function waitForStart() {
		while (!isCanceled()) {
			const isFull = inFlight >= Math.min(maxConcurrency, pace.mostInFlight());
			const waitMs = pace.nextStart() - now();
			if (!isFull && waitMs <= 0) break;
			const isChanged = new Promise<void>((proceed) => (reconsider = proceed));
			await (isFull ? isChanged : Promise.race([isChanged, sleep(waitMs)]));
		}
		inFlight++;
		pace.start(now());
	}

	function accept(startedAt: number) {
		pace.accept(now(), startedAt);
		if (startedAt <= refusedAt) return;
		for (const again of refused) again();
		refused = [];
	}

	function refuse(startedAt: number, refusedForMs: number) {
		pace.refuse(now(), startedAt, refusedForMs);
		refusedAt = Math.max(refusedAt, startedAt);
	}

	async function acquire(): Promise<Release> {
		await (turn = turn.then(waitForStart));
		const startedAt = now();

		return async (refusedForMs) => {
			inFlight--;
			if (refusedForMs === undefined) accept(startedAt);
			else refuse(startedAt, refusedForMs);
			reconsider();
			const isShort = refusedForMs !== undefined && refusedForMs <= ROUNDED_UP_MS;
			await new Promise<void>((again) => isShort && refused.push(again));
		};
	}

	return { acquire };
}
