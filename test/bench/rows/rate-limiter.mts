import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
	fixedWindow,
	simulate,
	slidingWindow,
	tokenBucket,
} from '../../nodes/FormResponses/transport/rateLimiter.simulation.ts';
import type {
	Limiter,
	Simulation,
} from '../../nodes/FormResponses/transport/rateLimiter.simulation.ts';
import type { Check, Measure, Row } from '../row.mts';
import { summarize } from '../statistics.mts';

/** A service with a limit, and the least time that so many requests take. */
interface Service {
	requests: number;
	open: () => Limiter;
	leastMs: number;
}

const bucket = (perSecond: number, burst: number, requests: number): Service => ({
	requests,
	open: () => tokenBucket(perSecond, burst),
	leastMs: ((requests - burst) / perSecond) * 1_000,
});

const windows = (
	kind: (count: number, windowMs: number) => Limiter,
	count: number,
	windowMs: number,
	requests: number,
): Service => ({
	requests,
	open: () => kind(count, windowMs),
	leastMs: Math.floor((requests - 1) / count) * windowMs,
});

/** Half of it is used by somebody else in the first 5 of every 20 seconds. */
function shared(perSecond: number, burst: number, requests: number): Service {
	const share = (at: number) => (at % 20_000 < 5_000 ? 4 : 1);
	let leastMs = 0;
	for (let left = requests - burst; left > 0; leastMs += 10) {
		left -= perSecond / share(leastMs) / 100;
	}
	return {
		requests,
		leastMs,
		open() {
			const service = tokenBucket(perSecond, burst);
			let [clock, last] = [0, 0];
			return (at) => {
				for (; last < at; last += 10) clock += 10 / share(last);
				return service(clock);
			};
		},
	};
}

const SERVICES: Service[] = [
	bucket(100, 20, 1_000),
	bucket(100, 100, 1_000),
	bucket(20, 5, 300),
	bucket(10, 1, 200),
	bucket(1, 1, 40),
	bucket(1 / 6, 10, 100),
	bucket(1 / 6, 1, 60),
	...[fixedWindow, slidingWindow].flatMap((kind) => [
		windows(kind, 100, 1_000, 1_050),
		windows(kind, 10, 1_000, 205),
		windows(kind, 100, 60_000, 550),
		windows(kind, 10, 60_000, 105),
	]),
	shared(100, 20, 1_500),
	shared(20, 5, 400),
];
const LATENCIES_MS = [5, 50, 500];
const AT_ONCE = [20, 100];

/** Each constant with the value at which it does nothing. */
const WITHOUT = {
	windowMs: Infinity,
	shareUnderWay: 0,
	growth: 1,
	mostSlower: Infinity,
};

type Tuning = typeof WITHOUT;

interface Built {
	TUNING: Tuning;
	createRateLimiter(
		options: Parameters<Simulation['open']>[0],
		tuning: Tuning,
	): ReturnType<Simulation['open']>;
}

async function timeOf(
	{ requests, open, leastMs }: Service,
	simulation: Omit<Simulation, 'requests' | 'limiter'>,
): Promise<number> {
	const { latencyMs, concurrency } = simulation;
	const { ms } = await simulate({ ...simulation, requests, limiter: open() });
	return ms / (Math.max(leastMs, (requests / concurrency) * latencyMs) + latencyMs);
}

const geometricMean = (values: number[]) =>
	Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

export const rateLimiter: Row = async ({ stage: open, isQuick, show }) => {
	const { packageFolder } = await open();
	const load = createRequire(join(packageFolder, 'dist/nodes/FormResponses/FormResponses.node.js'));
	const { TUNING, createRateLimiter } = load('./transport/rateLimiter') as Built;
	const seeds = isQuick ? [1] : [1, 2, 3];

	async function overAll(tuning: Tuning, seed: number) {
		const times: number[] = [];
		for (const service of SERVICES) {
			for (const latencyMs of LATENCIES_MS) {
				for (const concurrency of AT_ONCE) {
					const limiter: Simulation['open'] = (options) => createRateLimiter(options, tuning);
					times.push(await timeOf(service, { latencyMs, concurrency, seed, open: limiter }));
				}
			}
		}
		return geometricMean(times);
	}

	async function measured(name: string, tuning: Tuning): Promise<Measure> {
		const values: number[] = [];
		for (const seed of seeds) values.push(await overAll(tuning, seed));
		show(`${name}: ${values.map((value) => value.toFixed(3)).join(', ')}`);
		return { name, unit: '×', ...summarize(values) };
	}

	const whole = await measured('as it is', TUNING);
	const measures = [whole];
	const checks: Check[] = [];
	for (const name of Object.keys(WITHOUT) as Array<keyof Tuning>) {
		const without = await measured(`without ${name}`, { ...TUNING, [name]: WITHOUT[name] });
		measures.push(without);
		checks.push({
			what: `without ${name}, of the whole`,
			value: without.median / whole.median,
			unit: '×',
			bar: { atLeast: 1.01 },
		});
	}
	for (const [what, service] of [
		['40 at 1 per second: of the limit', bucket(1, 1, 40)],
		['200 at 10 per minute: of the limit', bucket(1 / 6, 1, 200)],
	] as const) {
		const limiter: Simulation['open'] = (options) => createRateLimiter(options, TUNING);
		const simulation = { latencyMs: 50, concurrency: 50, open: limiter };
		checks.push({
			what,
			value: await timeOf(service, simulation),
			unit: '×',
			bar: { atMost: 1.3 },
		});
	}
	return {
		title: 'The rate limiter in a simulation',
		how: `Time of a run, of the least that the service's limit allows: geometric mean over ${SERVICES.length} services (token buckets, fixed and sliding windows, from 10 per minute to 100 per second, two of them shared with somebody else), answers after ${LATENCIES_MS.join(', ')} ms, and ${AT_ONCE.join(' or ')} requests at once, by a simulated clock; with the four numbers that it goes by, and without each of them.`,
		measures,
		checks,
	};
};
