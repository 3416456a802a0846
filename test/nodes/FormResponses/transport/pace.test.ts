import { createPace } from '../../../../nodes/FormResponses/transport/pace';
import {
	closedUntil,
	createTimeline,
	fixedWindow,
	noLimit,
	simulate,
	tokenBucket,
} from './pace.simulation';

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
		expect(ms).toBeLessThanOrEqual(12_250);
		expect(refused).toBeLessThanOrEqual(100);
	});
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
	expect(ms).toBeLessThanOrEqual(15_000);
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
	// Twenty were under way when the first refusal came; without one pace each would come back at once.
	expect(starts.filter((at) => at > 160 && at < 2_000).length).toBeLessThan(20);
});

describe('a canceled run', () => {
	test('ends every wait at once', async () => {
		const { now, sleep } = createTimeline();
		const controller = new AbortController();
		const pace = createPace({ maxConcurrency: 1, now, sleep, signal: controller.signal });
		let ended = 0;
		const waiting = [
			pace.pause(60_000).then(() => ended++),
			pace.enter().then(() => ended++),
			pace.enter().then(() => ended++),
			pace.enter().then(() => ended++),
		];
		for (let turn = 0; turn < 10; turn++) await Promise.resolve();
		expect(ended).toBe(1);

		controller.abort();
		await Promise.all(waiting);
		expect(now()).toBe(0);
	});

	test('does not wait any more', async () => {
		const { now, sleep } = createTimeline();
		const controller = new AbortController();
		const pace = createPace({ maxConcurrency: 1, now, sleep, signal: controller.signal });
		controller.abort();
		await pace.pause(60_000);
		await pace.enter();
		await pace.enter();
		expect(now()).toBe(0);
	});
});
