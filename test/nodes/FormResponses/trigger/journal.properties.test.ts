import fc from 'fast-check';
import { DataDeduplicationService } from 'n8n-core';
import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type * as Journal from '../../../../nodes/FormResponses/trigger/journal';
import { timing } from '../../../../nodes/FormResponses/trigger/timing';
import { startClock } from '../../../clock';
import { emptyStores, recorded, slowStore } from '../../../in-process/deduplication';
import { inNewProcess } from '../../../in-process/process';

/**
 * Two processes with one store, as n8n's workers in queue mode. The store reads, takes its time, and
 * writes: what the other one wrote meanwhile is gone. All goes by one clock, so that each example has
 * one order of events only.
 */

type Startable = Pick<typeof Journal, 'startRun'>;

const node = { id: 'node-1', name: 'Forms' } as INode;
const workflow = { id: 'workflow-1', name: 'Responses', active: true };

const aJournal = (): Startable =>
	inNewProcess(() =>
		jest.requireActual<typeof Journal>('../../../../nodes/FormResponses/trigger/journal'),
	);

/**
 * What the journal needs of a run, without n8n's engine, which takes moments of its own.
 *
 * @param onEnd called once n8n was let go on
 */
function aRun(lastsMs: number, onEnd = () => {}) {
	const store = DataDeduplicationService.getInstance();
	const context = {
		getNode: () => node,
		getWorkflow: () => workflow,
		logger: { warn: () => {} },
		getExecutionCancelSignal: () => undefined,
		onExecutionFinish: (tell: () => Promise<unknown>) => void sleep(lastsMs).then(tell).then(onEnd),
		helpers: {
			checkProcessedAndRecord: async (
				items: string[],
				scope: 'node',
				options: { mode: 'entries'; maxEntries: number },
			) => await store.checkProcessedAndRecord(items, scope, { workflow, node }, options),
		},
	};
	return context as unknown as IExecuteFunctions;
}

/** Random as the trigger's moments are, but the same for each run of the tests. */
function random(seed: number): () => number {
	let state = seed;
	return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

jest.setTimeout(60_000);

const LONGEST_LATENCY_MS = 20;

const delivery = fc.record({
	worker: fc.constantFrom(0, 1),
	at: fc.nat(3_000),
	lastsMs: fc.constantFrom(0, 50, 2_000, 9_000),
});
/** One comes after another only with a start of n8n in between. */
const recoveries = fc
	.array(
		fc.record({ worker: fc.constantFrom(0, 1), after: fc.integer({ min: 3_000, max: 20_000 }) }),
		{
			minLength: 1,
			maxLength: 3,
		},
	)
	.chain((all) =>
		fc
			.nat(4_000)
			.map((first) => all.map((one, n) => ({ ...one, after: n === 0 ? first : one.after }))),
	);
const examples = fc.record({
	deliveries: fc.array(delivery, { minLength: 2, maxLength: 12 }),
	/** Responses that were never delivered. */
	missed: fc.integer({ min: 0, max: 3 }),
	recoveries,
	seed: fc.integer({ min: 1, max: 2_147_483_646 }),
});

type Example = typeof examples extends fc.Arbitrary<infer Value> ? Value : never;

/** Lets it all happen, and tells how often each response ran. */
async function play({ deliveries, missed, recoveries, seed }: Example) {
	const clock = startClock({ standing: true });
	emptyStores();
	const draw = random(seed);
	jest.spyOn(Math, 'random').mockImplementation(draw);
	slowStore(() => draw() * LONGEST_LATENCY_MS);
	const workers = [aJournal(), aJournal()];
	const runs = new Map<string, number>();

	async function start(
		at: number,
		worker: number,
		delivered: string[],
		recovered: string[],
		lastsMs = 0,
	) {
		await sleep(at);
		const begun = await workers[worker].startRun(aRun(lastsMs), delivered, recovered);
		begun.fresh.forEach((key) => runs.set(key, (runs.get(key) ?? 0) + 1));
		if (begun.undecided.size > 0) await start(0, worker, [], [...begun.undecided]);
	}

	const all = deliveries.map((_, n) => `delivered ${n}`);
	const never = Array.from({ length: missed }, (_, n) => `missed ${n}`);
	deliveries.forEach(({ at, worker, lastsMs }, n) => void start(at, worker, [all[n]], [], lastsMs));
	let at = 0;
	for (const { after, worker } of recoveries) {
		at += after;
		const now = at;
		const completed = all.filter((_, n) => deliveries[n].at < now);
		void start(at, worker, [], [...completed, ...never]);
	}
	await clock.pass(120_000);
	return { runs, keys: [...all, ...never] };
}

test('whatever the order, each response runs once: 0 lost, 0 twice', async () => {
	await fc.assert(
		fc.asyncProperty(examples, async (example) => {
			const { runs, keys } = await play(example);
			const counts = Object.fromEntries(keys.map((key) => [key, runs.get(key) ?? 0]));
			expect(counts).toEqual(Object.fromEntries(keys.map((key) => [key, 1])));
		}),
		{
			numRuns: 60,
			seed: 20260301,
			endOnFailure: true,
		},
	);
});

test('n8n stops only once no other process can erase an end: nothing runs again', async () => {
	const bursts = fc.record({
		deliveries: fc.array(delivery, { minLength: 6, maxLength: 12 }),
		seed: fc.integer({ min: 1, max: 2_147_483_646 }),
	});
	await fc.assert(
		fc.asyncProperty(bursts, async ({ deliveries, seed }) => {
			const clock = startClock({ standing: true });
			emptyStores();
			const draw = random(seed);
			jest.spyOn(Math, 'random').mockImplementation(draw);
			slowStore(() => draw() * timing.writeMs);
			const workers = [aJournal(), aJournal()];
			const keys = deliveries.map((_, n) => `delivered ${n}`);
			let ended = 0;
			deliveries.forEach(({ worker, at, lastsMs }, n) => {
				const context = aRun(lastsMs, () => ended++);
				void sleep(at).then(async () => await workers[worker].startRun(context, [keys[n]], []));
			});
			while (ended < keys.length) await clock.pass(50);
			clock.kill();
			slowStore(() => 0);
			let again: Set<string> | undefined;
			void aJournal()
				.startRun(aRun(0), [], keys)
				.then(({ fresh }) => (again = fresh));
			await clock.pass(60_000);
			expect(again).toEqual(new Set());
		}),
		{ numRuns: 12, seed: 20260303, endOnFailure: true },
	);
});

test('whatever the order, the marks of both come together in the store', async () => {
	await fc.assert(
		fc.asyncProperty(examples, async (example) => {
			const { keys } = await play(example);
			const marks = new Set(recorded());
			expect(keys.filter((key) => !marks.has(key) || !marks.has(`${key} finished`))).toEqual([]);
		}),
		{ numRuns: 20, seed: 20260302, endOnFailure: true },
	);
});
