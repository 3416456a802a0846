import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureBuilt, packageRoot } from '../../../playground/n8n/build.mts';
import { getByClock } from '../contestants/get-by-clock.mts';
import type { ActionNode } from '../contestants/get-by-clock.mts';
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
import { median, summarize } from '../statistics.mts';

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
/** Of the whole node's runs, which depend on the jitter more than the mean of so many. */
const SEEDS = Array.from({ length: 9 }, (_, index) => index + 1);

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

export const rateLimiter: Row = async ({ show }) => {
	ensureBuilt();
	// n8n-workflow is found from here, as it is in n8n.
	const load = createRequire(join(packageRoot, 'dist/nodes/FormResponses/FormResponses.node.js'));
	const { TUNING, createRateLimiter } = load(
		join(packageRoot, 'nodes/FormResponses/transport/rateLimiter.ts'),
	) as Built;
	const { FormResponses } = load('./FormResponses.node') as { FormResponses: ActionNode };

	async function measured(name: string, tuning: Tuning): Promise<Measure> {
		const times: number[] = [];
		for (const service of SERVICES) {
			for (const latencyMs of LATENCIES_MS) {
				for (const concurrency of AT_ONCE) {
					const limiter: Simulation['open'] = (options) => createRateLimiter(options, tuning);
					times.push(await timeOf(service, { latencyMs, concurrency, open: limiter }));
				}
			}
		}
		const value = geometricMean(times);
		show(`${name}: ${value.toFixed(3)}`);
		return { name, unit: '×', ...summarize([value]) };
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
		['40 gets at 1 per second', bucket(1, 1, 40)],
		['200 gets at 10 per minute', bucket(1 / 6, 1, 200)],
	] as const) {
		const { requests, leastMs } = service;
		const ratios: number[] = [];
		let fewest: number = requests;
		for (const seed of SEEDS) {
			const simulated = { requests, latencyMs: 50, limiter: service.open(), seed };
			const { ms, items } = await getByClock(FormResponses, simulated);
			ratios.push(ms / (leastMs + simulated.latencyMs));
			fewest = Math.min(fewest, items);
		}
		show(`${what}: ${ratios.map((value) => value.toFixed(3)).join(', ')}`);
		checks.push(
			{ what: `${what}: of the limit`, value: median(ratios), unit: '×', bar: { atMost: 1.3 } },
			{ what: `${what}: responses`, value: fewest, unit: '', bar: { exactly: requests } },
		);
	}
	return {
		title: 'The rate limiter in a simulation',
		how: `Time of a run, of the least that the service's limit allows: geometric mean over ${SERVICES.length} services (token buckets, fixed and sliding windows, from 10 per minute to 100 per second, two of them shared with somebody else), answers after ${LATENCIES_MS.join(', ')} ms, and ${AT_ONCE.join(' or ')} requests at once, by a simulated clock; with the four numbers that it goes by, and without each of them. The two runs of gets are of the whole node with default settings, answers after 50 ms: the median of ${SEEDS.length} runs, and the fewest responses of a run.`,
		measures,
		checks,
	};
};
