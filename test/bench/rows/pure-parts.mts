import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bench } from 'tinybench';
import type { Measure, Row } from '../row.mts';
import { summarize } from '../statistics.mts';

interface Page {
	data: number[];
	nextCursor: string | null;
}

/** What is called here of the built package. */
interface Pure {
	createRateLimiter(options: object): { acquire(): Promise<() => void> };
	mapPool<In>(items: In[], concurrency: number, work: (item: In) => Promise<In>): Promise<In[]>;
	paginate(fetchPage: (cursor?: string) => Promise<Page>): AsyncIterable<number[]>;
	retryDelay(attempt: object, now: number, random: number): number;
	toJson(envelope: object, options: object): object;
}

type Work = () => unknown;

const FILES = [
	'actions/pool',
	'output',
	'transport/paginate',
	'transport/rateLimiter',
	'transport/retry',
];
const ITEMS = Array.from({ length: 1_000 }, (_, index) => index);
const PAGES = 500;
const simplified = { simplify: true, answerKeys: 'label', answerValues: 'value' };

const LABELS = ['Name', 'Email', 'Stars', 'Comment', 'Newsletter'];
const envelope = {
	event: 'response.completed',
	createdAt: '2026-01-31T09:00:00.000Z',
	data: {
		formId: '11111111-1111-4111-8111-111111111111',
		formTitle: 'Feedback',
		responseId: '22222222-2222-4222-8222-222222222222',
		respondentEmail: 'respondent1@example.com',
		completedAt: '2026-01-31T09:00:00.000Z',
		answers: LABELS.map((label, index) => ({
			fieldId: `field-${index}`,
			label,
			type: 'text',
			value: `${label} 1`,
		})),
		fields: {},
		hiddenFields: { source: 'newsletter' },
		metadata: {},
	},
};
const refused = { kind: 'answer', status: 429, headers: { 'retry-after': '1' } };

async function fetchPage(cursor = '0'): Promise<Page> {
	const next = Number(cursor) + 1;
	return { data: ITEMS, nextCursor: next < PAGES ? String(next) : null };
}

/** Each part beside the least code that could stand in its place. */
function tasks({
	createRateLimiter,
	mapPool,
	paginate,
	retryDelay,
	toJson,
}: Pure): Record<string, Work> {
	return {
		'pool: 1,000 items, 20 at once': () => mapPool(ITEMS, 20, async (item) => item),
		'… Promise.all': () => Promise.all(ITEMS.map(async (item) => item)),
		'paginate: 500 pages': async () => {
			let count = 0;
			for await (const page of paginate(fetchPage)) count += page.length;
			return count;
		},
		'… a loop over cursors': async () => {
			let count = 0;
			let cursor: string | undefined;
			do {
				const page = await fetchPage(cursor);
				count += page.data.length;
				cursor = page.nextCursor ?? undefined;
			} while (cursor);
			return count;
		},
		'output: 1,000 responses of 5 answers': () => ITEMS.map(() => toJson(envelope, simplified)),
		'… Object.fromEntries': () =>
			ITEMS.map(() =>
				Object.fromEntries(envelope.data.answers.map(({ label, value }) => [label, value])),
			),
		'rate limiter: 1,000 requests, 20 at once': async () => {
			const [sleep, isCanceled] = [async () => {}, () => false];
			const limiter = createRateLimiter({ maxConcurrency: 20, now: Date.now, sleep, isCanceled });
			await mapPool(ITEMS, 20, async (item) => {
				const release = await limiter.acquire();
				release();
				return item;
			});
		},
		'retry: 1,000 delays': () =>
			ITEMS.map((retries) =>
				retryDelay({ method: 'GET', outcome: refused, refusals: retries, faults: 0 }, 0, 0.5),
			),
	};
}

export const pureParts: Row = async ({ stage: open, isQuick, show }) => {
	const { packageFolder } = await open();
	const load = createRequire(join(packageFolder, 'dist/nodes/FormResponses/FormResponses.node.js'));
	const pure = Object.assign({}, ...FILES.map((file) => load(`./${file}`) as object)) as Pure;
	const medians = new Map<string, number[]>();

	for (let run = 1; run <= (isQuick ? 2 : 7); run++) {
		const bench = new Bench({ time: isQuick ? 100 : 500, warmupTime: 100 });
		for (const [name, work] of Object.entries(tasks(pure))) bench.add(name, work);
		for (const { name, result } of await bench.run()) {
			if (!('latency' in result)) throw new Error(`${name}: ${result.state}`);
			const microseconds = result.latency.p50 * 1_000;
			medians.set(name, [...(medians.get(name) ?? []), microseconds]);
		}
		// Tasks keep the event loop busy all the time; connections that n8n closed meanwhile are noted here.
		await sleep(200);
		show(`run ${run} done`);
	}
	const measures = [...medians].map(
		([name, values]): Measure => ({ name, unit: 'µs', ...summarize(values) }),
	);
	return {
		title: 'The pure parts',
		how: 'Each in a micro-benchmark, beside the least code that could stand in its place (…): medians of runs, spread over the runs. No bar.',
		measures,
		checks: [],
	};
};
