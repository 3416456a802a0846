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

/** The rate is what the service accepted in this time before it refused a request, */
const WINDOW_MS = 1_000;
/** or since the refusal before, if that is no shorter than this. */
const SHORTEST_WINDOW_MS = 300;
/** After a refusal the run goes on at this share of that rate. */
const CAUTION = 0.95;
/** Before the first refusal the allowance for a burst was used up too, so the rate seen is too high. */
const SHARE_OF_A_BURST = 0.5;
/** Without a refusal the rate grows by this factor every `GROWTH_MS`: */
const GROWTH_MS = 250;
/** fast after the first refusal, when the rate is a guess, */
const GROWTH_OF_A_GUESS = 1.2;
/** and slowly once it was measured from one refusal to the next. */
const GROWTH = 1.01;
/** One refusal slows the run by this factor at the most, as the run may have asked for less. */
const MOST_SLOWER = 2;
const LONGEST_INTERVAL_MS = 60_000;

/**
 * One pace for all requests of a run. The first request goes alone, so that an expired token is
 * renewed once. Then as many as `maxConcurrency` are in flight, until the service refuses one:
 * from there on requests start at even intervals, at the rate that the service was seen to accept,
 * and a service that accepts nothing any more is left in peace until it allows.
 */
export function createPace({ maxConcurrency, now, sleep, signal }: PaceOptions): Pace {
	let limit = 1;
	let inFlight = 0;
	let intervalMs = 0;
	let nextStart = -Infinity;
	let holdUntil = -Infinity;
	/** When the last requests were accepted. */
	let accepted: number[] = [];
	/** When the rate was last cut: the service's allowance was used up then. */
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

	/** Requests per millisecond that the service takes; 0 if it took none. */
	function rateAt(at: number): number {
		const since = Math.max(cutAt ?? firstStart ?? at, at - WINDOW_MS);
		const taken = accepted.filter((time) => time >= since).length;
		return cutAt === undefined
			? ((taken + inFlight / 2) / (at - since)) * SHARE_OF_A_BURST
			: (taken / (at - since)) * CAUTION;
	}

	function cut(at: number, refusedForMs: number) {
		if (cutAt !== undefined && at - cutAt < SHORTEST_WINDOW_MS) return;
		const rate = accepted.length > 0 ? rateAt(at) : 0;
		const slowest = intervalMs > 0 ? intervalMs * MOST_SLOWER : LONGEST_INTERVAL_MS;
		if (rate > 0) intervalMs = Math.min(1 / rate, slowest, LONGEST_INTERVAL_MS);
		else holdUntil = Math.max(holdUntil, at + refusedForMs);
		isMeasured = cutAt !== undefined;
		cutAt = at;
		grownAt = at;
		accepted = [];
	}

	function accept(at: number) {
		while (accepted[0] < at - WINDOW_MS) accepted.shift();
		accepted.push(at);
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
