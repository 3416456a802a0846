import { sleep } from 'n8n-workflow';
import { createRateLimiter } from '../../../../../nodes/FormResponses/transport/rateLimiter';
import { startClock } from '../../../kit/clock';
import { nextTurn } from '../../../kit/turn';
import {
	fixedWindow,
	simulate,
	slidingWindow,
	tokenBucket,
	type Limiter,
} from './rateLimiter.simulation';

const noLimit: Limiter = () => 0;

describe('a service without a limit', () => {
	test.each([1, 5, 20, 50])('is used as fast as %i requests at once allow', async (concurrency) => {
		const [requests, latencyMs] = [1_000, 50];
		const sent = { requests, concurrency, latencyMs, limiter: noLimit };
		const { ms, refused, mostInFlight } = await simulate(sent);
		expect([refused, mostInFlight]).toEqual([0, concurrency]);
		// Eight round trips until all are in flight; a request takes up to 6 ms longer than the latency.
		expect(ms).toBeLessThan((requests / concurrency + 8) * (latencyMs + 6));
	});

	test.each([
		[10, 4],
		[25, 6],
		[100, 8],
	])('%i requests take %i round trips', async (requests, trips) => {
		const latencyMs = 200;
		const sent = { requests, concurrency: 50, latencyMs, limiter: noLimit };
		expect((await simulate(sent)).ms).toBeLessThan(trips * (latencyMs + 6));
	});

	test('the first request goes alone, so that an expired token is renewed once, and then few', async () => {
		const sent = { requests: 100, concurrency: 50, latencyMs: 50, limiter: noLimit };
		const { starts } = await simulate(sent);
		const startedBy = (ms: number) => starts.filter((at) => at < ms).length;
		expect([startedBy(50), startedBy(100)]).toEqual([1, 3]);
		expect(startedBy(150)).toBeLessThan(10);
		expect(startedBy(600)).toBeGreaterThan(80);
	});
});

describe('a limit from 1 to 100 per second', () => {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value) / values.length;

	test.each([1, 2, 5, 10, 30, 100])(
		'of %i takes little more than its least time, and few requests in vain',
		async (perSecond) => {
			const [times, tries]: number[][] = [[], []];
			// With a burst of 1, intervals of 10 ms and a jitter of 6 ms, requests that come too early are lost.
			for (const burst of perSecond === 100 ? [5, 10, 20] : [1, 2, 5, 10]) {
				for (const latencyMs of [0, 50, 300]) {
					const requests = 13 * perSecond + burst;
					const bucket = tokenBucket(perSecond, burst);
					// The service of the playground always says 1 second.
					const limiter: Limiter = (at) => bucket(at) && 1_000;
					const sent = { requests, concurrency: 50, latencyMs, limiter };
					const { ms, done, refused } = await simulate(sent);
					expect(done).toBe(requests);
					times.push(ms / (13_000 + latencyMs));
					tries.push((done + refused) / requests);
				}
			}
			expect(mean(times)).toBeLessThan(1.15);
			expect(Math.max(...times)).toBeLessThan(1.5);
			expect(mean(tries)).toBeLessThan(1.5);
			expect(Math.max(...tries)).toBeLessThan(1.75);
		},
	);
});

test.each([30, 50, 70])(
	'of 300 requests to a service that takes 100 a second, answered in %i ms, few are refused while the pace is found',
	async (latencyMs) => {
		const refusals: number[] = [];
		for (const seed of [1, 2, 3, 4, 5, 6, 7]) {
			const limiter = tokenBucket(100, 20);
			const sent = { requests: 300, concurrency: 50, latencyMs, limiter, seed };
			refusals.push((await simulate(sent)).refused);
		}
		expect(Math.max(...refusals)).toBeLessThan(120);
	},
);

const aHundred = () => tokenBucket(100, 20);

function raisedAfterAMinute(): Limiter {
	const [slow, fast] = [tokenBucket(20, 20), tokenBucket(100, 20)];
	return (at) => (at < 60_000 ? slow(at) : fast(at));
}

function freeAfterFiveSeconds(): Limiter {
	const throttled = tokenBucket(10, 1);
	return (at) => (at < 5_000 ? throttled(at) : 0);
}

test.each<[string, () => Limiter, sent: number[], mostMs: number, mostRefused?: number]>([
	['100 a second, 20 at once', aHundred, [1_000, 20, 50], 12_000, 200],
	['the same, asked by more', aHundred, [1_000, 50, 50], 12_000, 200],
	['the same, answered soon', aHundred, [1_000, 20, 5], 12_000, 200],
	['the same, answered late', aHundred, [1_000, 20, 200], 12_000, 200],
	['the same, for minutes', aHundred, [10_000, 50, 50], 1.05 * 99_800, 500],
	['10 a second', () => tokenBucket(10, 5), [100, 20, 50], 13_000],
	['10 a minute', () => tokenBucket(1 / 6, 1), [200, 50, 50], 1.3 * 199 * 6_000, 100],
	['100 in each second', () => fixedWindow(100, 1_000), [1_000, 20, 50], 16_000],
	['the same, answered soon', () => fixedWindow(100, 1_000), [1_000, 20, 5], 17_000],
	['100 in any second', () => slidingWindow(100, 1_000), [1_050, 20, 50], 20_000],
	['10 in any minute', () => slidingWindow(10, 60_000), [45, 20, 50], 5 * 60_000],
	// 108 seconds are the least.
	['20 a second, 100 after a minute', raisedAfterAMinute, [6_000, 50, 50], 128_000],
	['10 a second, then all', freeAfterFiveSeconds, [1_000, 20, 50], 40_000],
	// One request asks again each time that the service named, not twenty.
	['nothing for 30 seconds', () => (at) => (at < 30_000 ? 5_000 : 0), [200, 20, 50], 45_000, 8],
])(
	'a service that takes %s gets all in little more than that time',
	async (_, limit, [requests, concurrency, latencyMs], mostMs, mostRefused = Infinity) => {
		const sent = { requests, concurrency, latencyMs, limiter: limit() };
		const { done, ms, refused } = await simulate(sent);
		expect(done).toBe(requests);
		expect(ms).toBeLessThanOrEqual(mostMs);
		expect(refused).toBeLessThanOrEqual(mostRefused);
	},
);

test('one refusal holds back all requests of the run', async () => {
	const limiter: Limiter = (at) => (at > 100 && at < 2_000 ? 2_000 : 0);
	const sent = { requests: 60, concurrency: 20, latencyMs: 50, limiter };
	const { starts, refused } = await simulate(sent);
	expect(refused).toBeGreaterThan(0);
	// Twenty were under way when the first refusal came; without one rate each would come back at once.
	expect(starts.filter((at) => at > 160 && at < 2_000).length).toBeLessThan(20);
});

const isCanceled = () => false;

test.each([
	[1_000, true],
	[2_000, false],
])(
	'a request refused for %i ms may come again once a later one is accepted: %p',
	async (refusedForMs, isExpected) => {
		const { now } = startClock();
		const acquire = createRateLimiter({ maxConcurrency: 10, now, sleep, isCanceled });
		void (await acquire())();
		let mayComeAgain = false;
		const releaseEarlier = await acquire();
		await sleep(50);
		const release = await acquire();
		void release(refusedForMs).then(() => (mayComeAgain = true));
		void releaseEarlier();
		await nextTurn();
		expect(mayComeAgain).toBe(false);
		void (await acquire())();
		await nextTurn();
		expect(mayComeAgain).toBe(isExpected);
	},
);

test('a raise of the pace ends the sleep before the next request', async () => {
	const { now } = startClock();
	const acquire = createRateLimiter({ maxConcurrency: 10, now, sleep, isCanceled });
	void (await acquire())();
	await sleep(10);
	void (await acquire())(1_000);
	const release = await acquire();
	const startedAt = now();
	const next = acquire();
	await sleep(50);
	void release();
	await next;
	// After the first refusal requests start 505 ms apart; the first one accepted halves that. A timer rounds up.
	expect(now() - startedAt).toBe(253);
});

test('once the run is canceled nothing waits any more, neither for its turn nor for time', async () => {
	const { now, elapsed } = startClock();
	let [isOver, ended] = [false, 0];
	const acquire = createRateLimiter({
		maxConcurrency: 1,
		now,
		sleep,
		isCanceled: () => isOver,
	});
	const release = await acquire();
	const waiting = [1, 2, 3].map(async () => await acquire().then(() => ended++));
	await nextTurn();
	expect(ended).toBe(0);

	isOver = true;
	void release();
	await Promise.all(waiting);
	await acquire();
	expect([ended, elapsed()]).toEqual([3, 0]);
});
