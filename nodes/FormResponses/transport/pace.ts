export interface PaceOptions {
	/** Requests in flight at once, at the most. */
	maxConcurrency: number;
	/** Milliseconds of a clock. */
	now: () => number;
	sleep: (ms: number) => Promise<void>;
	/** Ends every wait at once. */
	signal?: AbortSignal;
}

/** How a request ended, as far as the pace of the others depends on it. */
export interface Departure {
	/** Set when the service refused the request because of its rate limit: when it may come again. */
	refusedForMs?: number;
}

/** Decides when each request of a run starts. */
export interface Pace {
	/** Resolves when the next request may start; call what it gives once that request has ended. */
	enter(): Promise<(departure: Departure) => void>;
	/** Waits, or until the run is canceled. */
	pause(ms: number): Promise<void>;
}

/** After a refusal the run goes on at this share of the rate the service was seen to accept. */
const CAUTION = 0.95;
/** Without a refusal the rate grows by this factor every `GROWTH_MS`: */
const GROWTH_MS = 250;
/** fast after the first refusal, when the rate is a guess, */
const GROWTH_OF_A_GUESS = 1.2;
/** and slowly once it was measured from one refusal to the next. */
const GROWTH = 1.01;
/** One refusal slows the run by this factor at the most. */
const MOST_SLOWER = 1.5;
const LONGEST_INTERVAL_MS = 60_000;

/**
 * One pace for all requests of a run. The first request goes alone, so that an expired token is
 * renewed once. Then as many as `maxConcurrency` are in flight, until the service refuses one:
 * from there on requests start at even intervals, at the rate that the service accepted since the
 * refusal before, and a service that accepts nothing any more is left in peace until it allows.
 */
export function createPace({ maxConcurrency, now, sleep, signal }: PaceOptions): Pace {
	let limit = 1;
	let inFlight = 0;
	let intervalMs = 0;
	let nextStart = -Infinity;
	let holdUntil = -Infinity;
	let accepted = 0;
	/** When the rate was last cut, which is when the service's allowance was used up. */
	let cutAt: number | undefined;
	let firstStart: number | undefined;
	let isMeasured = false;
	let grownAt = 0;
	const queue: Array<() => void> = [];

	const canceled = new Promise<void>((resolve) => {
		signal?.addEventListener('abort', () => {
			resolve();
			queue.splice(0).forEach((proceed) => proceed());
		});
	});

	async function pause(ms: number) {
		if (ms > 0 && !signal?.aborted) await Promise.race([sleep(ms), canceled]);
	}

	function cut(at: number, refusedForMs: number) {
		if (accepted === 0) holdUntil = Math.max(holdUntil, at + refusedForMs);
		if (accepted > 0) {
			const since = cutAt ?? firstStart ?? at;
			// Before the first refusal a burst allowance was used up too, so the rate seen is too high.
			const share = cutAt === undefined ? 0.5 : CAUTION;
			const seen = (at - since) / accepted / share;
			// Where the run itself asked for less than the service gives, the rate seen is too low.
			const slowest = intervalMs > 0 ? intervalMs * MOST_SLOWER : LONGEST_INTERVAL_MS;
			intervalMs = Math.min(seen, slowest, LONGEST_INTERVAL_MS);
			isMeasured = cutAt !== undefined;
		}
		cutAt = at;
		grownAt = at;
		accepted = 0;
	}

	function accept(at: number) {
		accepted++;
		limit = maxConcurrency;
		if (intervalMs > 0 && at - grownAt >= GROWTH_MS) {
			intervalMs /= isMeasured ? GROWTH : GROWTH_OF_A_GUESS;
			grownAt = at;
		}
	}

	async function enter() {
		while (inFlight >= limit && !signal?.aborted) {
			await new Promise<void>((resolve) => queue.push(resolve));
		}
		inFlight++;
		for (let at = now(); !signal?.aborted; at = now()) {
			const start = Math.max(at, nextStart, holdUntil);
			nextStart = start + intervalMs;
			await pause(start - at);
			if (now() >= holdUntil) break;
		}
		const startedAt = now();
		firstStart ??= startedAt;

		return ({ refusedForMs }: Departure) => {
			inFlight--;
			const at = now();
			if (refusedForMs === undefined) accept(at);
			// Requests that were under way at the last cut say nothing about the pace since.
			else if (startedAt >= (cutAt ?? -Infinity)) cut(at, refusedForMs);
			queue.splice(0, Math.max(1, limit - inFlight)).forEach((proceed) => proceed());
		};
	}

	return { enter, pause };
}
