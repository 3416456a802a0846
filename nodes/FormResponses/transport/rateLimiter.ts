import { createRateEstimate, ROUNDED_UP_MS } from './rateEstimate';

export interface RateLimiterOptions {
	/** Maximum number of requests in flight. */
	maxConcurrency: number;
	/** Milliseconds. */
	now: () => number;
	/** Returns early if the run is canceled. */
	sleep: (ms: number) => Promise<void>;
	isCanceled: () => boolean;
}

/**
 * Reports the end of a request; `refusedForMs` is the wait that a refusal asked for. Resolves when a retry may
 * start early: the service has accepted a request that started later. Otherwise never resolves.
 */
type Release = (refusedForMs?: number) => Promise<void>;

/**
 * Paces all requests of a run together. The first request goes alone, so that an expired token is refused only
 * once; then the number in flight grows until the service refuses one. From then on, requests start at even
 * intervals. A refusal slows the pace by a step; enough accepted requests speed it up by one. The step shrinks
 * with each change of direction and grows with each raise in a row, so the pace settles near the service's
 * limit and follows its changes.
 *
 * @returns a function that resolves when the next request may start, or the run is canceled
 */
export function createRateLimiter(options: RateLimiterOptions): () => Promise<Release> {
	const { maxConcurrency, now, sleep, isCanceled } = options;
	const pace = createRateEstimate();
	let [inFlight, turn] = [0, Promise.resolve()];
	/** Wakes the request that waits to start. */
	let reconsider = () => {};
	/** Retries of short refusals, and when the last refused request started. */
	let [refused, refusedAt] = [[] as Array<() => void>, 0];

	async function waitForStart() {
		while (!isCanceled()) {
			const isFull = inFlight >= Math.min(maxConcurrency, pace.maxInFlight());
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

	return async () => {
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
	};
}
