import { createRateLimiter } from '../../../../../nodes/FormResponses/transport/rateLimiter';

/** Whether a service with a rate limit takes a request at a time, and if not, when to come again. */
export type Limiter = (at: number) => { taken: true } | { taken: false; retryAfterMs: number };

interface Simulation {
	requests: number;
	concurrency: number;
	latencyMs: number;
	limiter: Limiter;
	/** Draws the jitter, which is the same in every run with the same seed. */
	seed?: number;
}

export const noLimit: Limiter = () => ({ taken: true });

/** Says in whole seconds when to come again. */
const refusedFor = (ms: number) =>
	({ taken: false, retryAfterMs: Math.ceil(ms / 1_000) * 1_000 }) as const;

/** A bucket of `burst` requests, which fills up again by `perSecond`. */
export function tokenBucket(perSecond: number, burst: number): Limiter {
	let [tokens, filledAt] = [burst, 0];
	return (at) => {
		tokens = Math.min(burst, tokens + ((at - filledAt) * perSecond) / 1_000);
		filledAt = at;
		if (tokens < 1) return refusedFor(((1 - tokens) * 1_000) / perSecond);
		tokens--;
		return { taken: true };
	};
}

/** Takes `count` requests in each window of time, and says when the next one begins. */
export function fixedWindow(count: number, windowMs: number): Limiter {
	let [window, taken] = [-1, 0];
	return (at) => {
		const current = Math.floor(at / windowMs);
		if (current !== window) [window, taken] = [current, 0];
		taken++;
		const waitMs = (current + 1) * windowMs - at;
		return taken <= count ? { taken: true } : refusedFor(waitMs);
	};
}

/** Takes `count` requests within any `windowMs`. */
export function slidingWindow(count: number, windowMs: number): Limiter {
	const taken: number[] = [];
	return (at) => {
		while (taken[0] <= at - windowMs) taken.shift();
		if (taken.length >= count) return refusedFor(taken[0] + windowMs - at);
		taken.push(at);
		return { taken: true };
	};
}

/** Takes nothing until `until`, then everything. */
export const closedUntil =
	(until: number, retryAfterMs: number): Limiter =>
	(at) =>
		at >= until ? { taken: true } : { taken: false, retryAfterMs };

/** Virtual time that moves on to whatever is due next. */
export function createTimeline() {
	let now = 0;
	const due: Array<{ at: number; wake: () => void }> = [];

	const sleep = async (ms: number) =>
		await new Promise<void>((wake) => due.push({ at: now + ms, wake }));

	async function runUntil(isOver: () => boolean) {
		while (!isOver()) {
			// Lets all that was woken come to its next wait.
			for (let turn = 0; turn < 30 && !isOver(); turn++) await Promise.resolve();
			if (isOver()) return;
			due.sort((a, b) => a.at - b.at);
			const next = due.shift()!;
			now = next.at;
			next.wake();
		}
	}

	return { now: () => now, sleep, runUntil };
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function seededRandom(seed: number): () => number {
	let state = seed * 7_919;
	return () => {
		state = (state * 16_807) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}

/** No real clock begins at 0. */
const STARTED_AT = Date.parse('2026-03-01T12:00:00Z');

/** Sends requests as the transport does, and tells how many virtual milliseconds that took. */
export async function simulate(simulation: Simulation) {
	const { requests, concurrency, latencyMs, limiter, seed = 1 } = simulation;
	const timeline = createTimeline();
	const { now, sleep } = timeline;
	const rateLimiter = createRateLimiter({
		maxConcurrency: concurrency,
		now: () => STARTED_AT + now(),
		sleep,
		isCanceled: () => false,
	});
	const starts: number[] = [];
	let [next, done, refused, inFlight, mostInFlight] = [0, 0, 0, 0, 0];
	const random = seededRandom(seed);

	async function send() {
		for (;;) {
			const release = await rateLimiter.acquire();
			starts.push(now());
			inFlight++;
			mostInFlight = Math.max(mostInFlight, inFlight);
			await sleep(latencyMs / 2 + random() * 3);
			const answer = limiter(now());
			await sleep(latencyMs / 2 + random() * 3);
			inFlight--;
			if (answer.taken) {
				void release();
				done++;
				return;
			}
			refused++;
			const delay = answer.retryAfterMs * (1 + random() / 10);
			await Promise.race([sleep(delay), release(answer.retryAfterMs)]);
		}
	}

	async function work() {
		while (next < requests) {
			next++;
			await send();
		}
	}

	let isOver = false;
	const all = Promise.all(Array.from({ length: concurrency }, work)).then(() => (isOver = true));
	await timeline.runUntil(() => isOver);
	await all;
	return { ms: now(), done, refused, starts, mostInFlight };
}
