import { createRateLimiter } from '../../../../nodes/FormResponses/transport/rateLimiter';
import {
	closedUntil,
	createTimeline,
	fixedWindow,
	noLimit,
	simulate as simulateWith,
	slidingWindow,
	tokenBucket,
} from './rateLimiter.simulation';
import type { Simulation } from './rateLimiter.simulation';

const simulate = async (what: Omit<Simulation, 'open'>) =>
	await simulateWith({ ...what, open: createRateLimiter });

describe('a service without a limit', () => {
	test.each([1, 5, 20, 50])('is used as fast as %i requests at once allow', async (concurrency) => {
		const [requests, latencyMs] = [1_000, 50];
		const { ms, refused, mostInFlight } = await simulate({
			requests,
			concurrency,
			latencyMs,
			limiter: noLimit,
		});
		expect(refused).toBe(0);
		expect(mostInFlight).toBe(concurrency);
		// The first one goes alone; a request takes up to 6 ms longer than the latency.
		expect(ms).toBeLessThan((requests / concurrency + 1) * (latencyMs + 6));
	});

	test('the first request goes alone, so that an expired token is renewed once', async () => {
		const { starts } = await simulate({
			requests: 10,
			concurrency: 10,
			latencyMs: 50,
			limiter: noLimit,
		});
		expect(starts[0]).toBe(0);
		expect(starts[1]).toBeGreaterThanOrEqual(50);
		expect(new Set(starts.slice(1)).size).toBe(1);
	});
});

describe('a service that takes 100 requests a second and 20 at once', () => {
	test.each([
		[20, 50],
		[50, 50],
		[20, 5],
		[20, 200],
	])('%i at once, answered in %i ms', async (concurrency, latencyMs) => {
		const { ms, done, refused } = await simulate({
			requests: 1_000,
			concurrency,
			latencyMs,
			limiter: tokenBucket(100, 20),
		});
		expect(done).toBe(1_000);
		expect(ms).toBeLessThanOrEqual(13_700);
		expect(refused).toBeLessThanOrEqual(100);
	});
});

test('a limit that is met again and again is tried less often, so that few runs end in a refusal', async () => {
	const beyond: number[] = [];
	let refusals = 0;
	for (let requests = 800; requests <= 2_000; requests += 100) {
		const { ms, done, refused } = await simulate({
			requests,
			concurrency: 50,
			latencyMs: 50,
			limiter: tokenBucket(100, 20),
		});
		expect(done).toBe(requests);
		beyond.push(ms - (requests - 20) * 10);
		refusals += refused;
	}
	const mean = beyond.reduce((sum, ms) => sum + ms) / beyond.length;
	expect(mean).toBeLessThan(450);
	expect(refusals / beyond.length).toBeLessThan(75);
});

test('a limit that rises after a minute is found out within some seconds', async () => {
	const [slow, fast] = [tokenBucket(20, 20), tokenBucket(100, 20)];
	const { ms, done } = await simulate({
		requests: 6_000,
		concurrency: 50,
		latencyMs: 50,
		limiter: (at) => (at < 60_000 ? slow(at) : fast(at)),
	});
	expect(done).toBe(6_000);
	// 108 seconds are the least.
	expect(ms).toBeLessThan(128_000);
});

test('a limit that was met for minutes is tried again every ten seconds', async () => {
	const refusedAt: number[] = [];
	const limiter = tokenBucket(100, 20);
	await simulate({
		requests: 30_000,
		concurrency: 50,
		latencyMs: 50,
		limiter: (at) => {
			const decision = limiter(at);
			if (!decision.taken) refusedAt.push(at);
			return decision;
		},
	});
	const pauses = refusedAt.slice(1).map((at, index) => at - refusedAt[index]);
	expect(Math.max(...refusedAt)).toBeGreaterThan(280_000);
	expect(Math.max(...pauses)).toBeGreaterThan(5_000);
	expect(Math.max(...pauses)).toBeLessThan(11_000);
});

test('a service that takes 10 requests a second gets them in not much more than that time', async () => {
	const { ms, done } = await simulate({
		requests: 100,
		concurrency: 20,
		latencyMs: 50,
		limiter: tokenBucket(10, 5),
	});
	expect(done).toBe(100);
	expect(ms).toBeLessThanOrEqual(13_000);
});

test('a service that counts by the second gets all', async () => {
	const { done, ms } = await simulate({
		requests: 1_000,
		concurrency: 20,
		latencyMs: 50,
		limiter: fixedWindow(100, 1_000),
	});
	expect(done).toBe(1_000);
	expect(ms).toBeLessThanOrEqual(16_000);
});

test('a service that takes 10 requests a minute gets them as it allows', async () => {
	const { done, ms, refused } = await simulate({
		requests: 200,
		concurrency: 50,
		latencyMs: 50,
		limiter: tokenBucket(1 / 6, 1),
	});
	expect(done).toBe(200);
	expect(ms).toBeLessThanOrEqual(1.3 * 199 * 6_000);
	expect(refused).toBeLessThanOrEqual(200 * 3);
});

test.each([
	[100, 1_000, 1_050, 20_000],
	[10, 60_000, 45, 5 * 60_000],
])(
	'a service that takes %i requests in any %i ms gets %i in at most %i ms',
	async (count, windowMs, requests, mostMs) => {
		const limiter = slidingWindow(count, windowMs);
		const { done, ms } = await simulate({ requests, concurrency: 20, latencyMs: 50, limiter });
		expect(done).toBe(requests);
		expect(ms).toBeLessThanOrEqual(mostMs);
	},
);

test('a rate that was measured too low grows again', async () => {
	const throttled = tokenBucket(10, 1);
	const { done, ms } = await simulate({
		requests: 1_000,
		concurrency: 20,
		latencyMs: 50,
		limiter: (at) => (at < 5_000 ? throttled(at) : { taken: true }),
	});
	expect(done).toBe(1_000);
	expect(ms).toBeLessThanOrEqual(40_000);
});

test('a service that refuses everything for 30 seconds is left in peace meanwhile', async () => {
	const { done, ms, refused } = await simulate({
		requests: 200,
		concurrency: 20,
		latencyMs: 50,
		limiter: closedUntil(30_000, 5_000),
	});
	expect(done).toBe(200);
	// One request asks again each time that the service named, not twenty.
	expect(refused).toBeLessThanOrEqual(8);
	expect(ms).toBeLessThan(45_000);
});

test('one refusal holds back all requests of the run', async () => {
	let isRefusing = false;
	const { starts } = await simulate({
		requests: 60,
		concurrency: 20,
		latencyMs: 50,
		limiter(at) {
			if (at > 100 && at < 2_000) isRefusing = true;
			return at > 100 && at < 2_000 ? { taken: false, retryAfterMs: 2_000 } : { taken: true };
		},
	});
	expect(isRefusing).toBe(true);
	// Twenty were under way when the first refusal came; without one rate each would come back at once.
	expect(starts.filter((at) => at > 160 && at < 2_000).length).toBeLessThan(20);
});

describe('a canceled run', () => {
	/** A limiter of one request at a time, and a run that can be canceled. */
	function cancelable() {
		const { now, sleep } = createTimeline();
		let isCanceled = false;
		const rateLimiter = createRateLimiter({
			maxConcurrency: 1,
			now,
			sleep,
			isCanceled: () => isCanceled,
		});
		return { ...rateLimiter, now, cancel: () => (isCanceled = true) };
	}

	test('lets all that wait for another request go on as soon as that has ended', async () => {
		const { acquire, cancel } = cancelable();
		const release = await acquire();
		let ended = 0;
		const waiting = [1, 2, 3].map(async () => await acquire().then(() => ended++));
		for (let turn = 0; turn < 10; turn++) await Promise.resolve();
		expect(ended).toBe(0);

		cancel();
		release();
		await Promise.all(waiting);
		expect(ended).toBe(3);
	});

	test('does not wait any more', async () => {
		const { acquire, cancel, now } = cancelable();
		cancel();
		await acquire();
		await acquire();
		expect(now()).toBe(0);
	});
});
