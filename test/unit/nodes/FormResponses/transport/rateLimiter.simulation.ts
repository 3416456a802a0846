import { sleep } from 'n8n-workflow';
import { createRateLimiter } from '../../../../../nodes/FormResponses/transport/rateLimiter';
import { startClock } from '../../../kit/clock';

/** A service with a rate limit: tells a request how many milliseconds to wait, or 0 to accept it. */
export type Limiter = (at: number) => number;

interface Simulation {
	requests: number;
	concurrency: number;
	latencyMs: number;
	limiter: Limiter;
	/** Draws the jitter, which is the same in every run with the same seed. */
	seed?: number;
}

const inWholeSeconds = (ms: number) => Math.ceil(ms / 1_000) * 1_000;

/** A bucket of `burst` requests, which fills up again by `perSecond`. */
export function tokenBucket(perSecond: number, burst: number): Limiter {
	let [tokens, filledAt] = [burst, 0];
	return (at) => {
		tokens = Math.min(burst, tokens + ((at - filledAt) * perSecond) / 1_000);
		filledAt = at;
		if (tokens < 1) return inWholeSeconds(((1 - tokens) * 1_000) / perSecond);
		tokens--;
		return 0;
	};
}

/** Accepts `count` requests in each window of time. */
export function fixedWindow(count: number, windowMs: number): Limiter {
	let [window, accepted] = [-1, 0];
	return (at) => {
		const current = Math.floor(at / windowMs);
		if (current !== window) [window, accepted] = [current, 0];
		accepted++;
		return accepted <= count ? 0 : inWholeSeconds((current + 1) * windowMs - at);
	};
}

/** Accepts `count` requests within any `windowMs`. */
export function slidingWindow(count: number, windowMs: number): Limiter {
	const accepted: number[] = [];
	return (at) => {
		while (accepted[0] <= at - windowMs) accepted.shift();
		if (accepted.length >= count) return inWholeSeconds(accepted[0] + windowMs - at);
		accepted.push(at);
		return 0;
	};
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function seededRandom(seed: number): () => number {
	let state = seed * 7_919;
	return () => {
		state = (state * 16_807) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}

/** Sends requests as the transport does, and tells how many milliseconds that would take. */
export async function simulate(simulation: Simulation) {
	const { requests, concurrency, latencyMs, limiter, seed = 1 } = simulation;
	const { now, elapsed } = startClock();
	const isCanceled = () => false;
	const acquire = createRateLimiter({ maxConcurrency: concurrency, now, sleep, isCanceled });
	const starts: number[] = [];
	let [next, done, refused, inFlight, mostInFlight] = [0, 0, 0, 0, 0];
	const random = seededRandom(seed);

	async function send() {
		for (;;) {
			const release = await acquire();
			starts.push(elapsed());
			inFlight++;
			mostInFlight = Math.max(mostInFlight, inFlight);
			await sleep(latencyMs / 2 + random() * 3);
			const waitMs = limiter(elapsed());
			await sleep(latencyMs / 2 + random() * 3);
			inFlight--;
			if (waitMs === 0) {
				void release();
				done++;
				return;
			}
			refused++;
			await Promise.race([sleep(waitMs * (1 + random() / 10)), release(waitMs)]);
		}
	}

	async function work() {
		while (next < requests) {
			next++;
			await send();
		}
	}

	await Promise.all(Array.from({ length: concurrency }, work));
	return { ms: elapsed(), done, refused, starts, mostInFlight };
}
