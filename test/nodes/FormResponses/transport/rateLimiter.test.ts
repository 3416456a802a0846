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
import type { Limiter, Simulation } from './rateLimiter.simulation';

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
		// Eight round trips until all are in flight; a request takes up to 6 ms longer than the latency.
		expect(ms).toBeLessThan((requests / concurrency + 8) * (latencyMs + 6));
	});

	test('the first request goes alone, so that an expired token is renewed once, and then few', async () => {
		const { starts } = await simulate({
			requests: 100,
			concurrency: 50,
			latencyMs: 50,
			limiter: noLimit,
		});
		const startedBy = (ms: number) => starts.filter((at) => at < ms).length;
		expect([startedBy(50), startedBy(100)]).toEqual([1, 3]);
		expect(startedBy(150)).toBeLessThan(10);
		expect(startedBy(600)).toBeGreaterThan(80);
	});
});

describe('a limit from 1 to 100 per second', () => {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value) / values.length;

	// With a burst of 1, intervals of 10 ms and a jitter of 6 ms, requests that come too early are lost.
	test.each([
		[1, [1, 2, 5, 10]],
		[2, [1, 2, 5, 10]],
		[5, [1, 2, 5, 10]],
		[10, [1, 2, 5, 10]],
		[30, [1, 2, 5, 10]],
		[100, [5, 10, 20]],
	])(
		'of %i takes little more than its least time, and few requests in vain',
		async (perSecond, bursts) => {
			const services = bursts.flatMap((burst) => [0, 50, 300].map((ms) => [burst, ms] as const));
			const leastMs = 13_000;
			const runs = await Promise.all(
				services.map(async ([burst, latencyMs]) => {
					const requests = 13 * perSecond + burst;
					// The service of the playground always says 1 second.
					const bucket = tokenBucket(perSecond, burst);
					const limiter: Limiter = (at) =>
						bucket(at).taken ? { taken: true } : { taken: false, retryAfterMs: 1_000 };
					const run = await simulate({ requests, concurrency: 50, latencyMs, limiter });
					expect(run.done).toBe(requests);
					return {
						time: run.ms / (leastMs + latencyMs),
						requests: (run.done + run.refused) / requests,
					};
				}),
			);
			expect(mean(runs.map(({ time }) => time))).toBeLessThan(1.15);
			expect(Math.max(...runs.map(({ time }) => time))).toBeLessThan(1.5);
			expect(mean(runs.map(({ requests }) => requests))).toBeLessThan(1.5);
			expect(Math.max(...runs.map(({ requests }) => requests))).toBeLessThan(1.75);
		},
	);
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
		expect(ms).toBeLessThanOrEqual(12_000);
		expect(refused).toBeLessThanOrEqual(200);
	});
});

test.each([30, 50, 70])(
	'300 requests to it, answered in %i ms, are refused little while the pace is found',
	async (latencyMs) => {
		const refusals = await Promise.all(
			[1, 2, 3, 4, 5, 6, 7].map(async (seed) => {
				const limiter = tokenBucket(100, 20);
				const run = await simulate({ requests: 300, concurrency: 50, latencyMs, limiter, seed });
				return run.refused;
			}),
		);
		expect(Math.max(...refusals)).toBeLessThan(120);
	},
);

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

test('a limit that was met for minutes is met in few requests', async () => {
	const requests = 10_000;
	const { ms, refused } = await simulate({
		requests,
		concurrency: 50,
		latencyMs: 50,
		limiter: tokenBucket(100, 20),
	});
	expect(ms).toBeLessThan(1.05 * (requests - 20) * 10);
	expect(refused).toBeLessThan(requests / 20);
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

test.each([
	[1_000, true],
	[2_000, false],
])(
	'a request refused for %i ms may come again once a later one is accepted: %p',
	async (refusedForMs, isExpected) => {
		let at = 0;
		const { acquire } = createRateLimiter({
			maxConcurrency: 10,
			now: () => at,
			sleep: async (ms) => void (at += ms),
			isCanceled: () => false,
		});
		const settle = async () => {
			for (let turn = 0; turn < 10; turn++) await Promise.resolve();
		};
		void (await acquire())();
		let mayComeAgain = false;
		const releaseEarlier = await acquire();
		at += 50;
		const release = await acquire();
		void release(refusedForMs).then(() => (mayComeAgain = true));
		void releaseEarlier();
		await settle();
		expect(mayComeAgain).toBe(false);
		const releaseLater = await acquire();
		void releaseLater();
		await settle();
		expect(mayComeAgain).toBe(isExpected);
	},
);

test('a raise of the pace ends the sleep before the next request', async () => {
	const { now, sleep, runUntil } = createTimeline();
	const isCanceled = () => false;
	const { acquire } = createRateLimiter({ maxConcurrency: 10, now, sleep, isCanceled });
	let waitedMs = 0;
	async function run() {
		void (await acquire())();
		await sleep(10);
		void (await acquire())(1_000);
		const release = await acquire();
		const startedAt = now();
		const next = acquire();
		await sleep(50);
		void release();
		await next;
		waitedMs = now() - startedAt;
	}
	void run();
	await runUntil(() => waitedMs > 0);
	// After the first refusal requests start 505 ms apart, and the first one accepted halves that.
	expect(waitedMs).toBeCloseTo(252.5);
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
		void release();
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
