import type { Clock } from '../../../clock';
import { startClock } from '../../../clock';
import {
	emptyStores,
	failStore,
	recorded,
	slowStore,
	storeCalls,
} from '../../../in-process/deduplication';
import { inRun } from '../../../in-process/probe';
import type { Process, Run } from './journal.fixture';
import { aProcess, whileTimePasses } from './journal.fixture';

const MINUTE = 60_000;
const WITHOUT_END = Infinity;

jest.setTimeout(30_000);

let clock: Clock;
let n8n: Process;

beforeEach(() => {
	clock = startClock({ standing: true });
	emptyStores();
	n8n = aProcess();
});

const run = async (what: Run, process = n8n) => await whileTimePasses(clock, process.run(what));

/** n8n is killed, and started again. */
function restart() {
	clock.kill();
	n8n = aProcess();
}

/** A run in the middle of which n8n is killed. */
async function cutOffRun(what: Run) {
	const fresh = await run({ ...what, lastsMs: WITHOUT_END });
	restart();
	return fresh;
}

describe('a response runs once', () => {
	test('delivered twice', async () => {
		expect(await run({ delivered: ['a', 'b'] })).toEqual(['a', 'b']);
		expect(await run({ delivered: ['b', 'c'] })).toEqual(['c']);
	});

	test('delivered twice at once, before the store answers', async () => {
		const both = Promise.all([n8n.run({ delivered: ['a'] }), n8n.run({ delivered: ['a'] })]);
		expect((await whileTimePasses(clock, both)).flat()).toEqual(['a']);
	});

	test('delivered twice in one run', async () => {
		expect(await run({ delivered: ['a', 'a'] })).toEqual(['a']);
	});

	test.each<[string, Run, Run]>([
		['delivered, and again after a restart', { delivered: ['a'] }, { delivered: ['a'] }],
		['delivered, and recovered after a restart', { delivered: ['a'] }, { recovered: ['a'] }],
		['recovered, and delivered after a restart', { recovered: ['a'] }, { delivered: ['a'] }],
		['recovered, and again after a restart', { recovered: ['a'] }, { recovered: ['a'] }],
	])('%s', async (_, first, second) => {
		expect(await run(first)).toEqual(['a']);
		await clock.pass(100);
		restart();
		expect(await run(second)).toEqual([]);
	});

	test('among others that were missed', async () => {
		await run({ delivered: ['b'] });
		await clock.pass(100);
		restart();
		expect((await run({ recovered: ['a', 'b', 'c'] })).sort()).toEqual(['a', 'c']);
	});

	test('where n8n does not tell the end of a run, because it is too old', async () => {
		expect(await run({ delivered: ['a'], isOldN8n: true })).toEqual(['a']);
		await clock.pass(100);
		restart();
		expect(await run({ recovered: ['a'], isOldN8n: true })).toEqual([]);
	});
});

describe('a run that n8n did not survive', () => {
	test('comes again when it is recovered', async () => {
		expect(await cutOffRun({ delivered: ['a', 'b'] })).toEqual(['a', 'b']);
		expect((await run({ recovered: ['a', 'b', 'c'] })).sort()).toEqual(['a', 'b', 'c']);
		await clock.pass(100);
		restart();
		expect(await run({ recovered: ['a', 'b', 'c'] })).toEqual([]);
	});

	test('comes again three times, and then no more', async () => {
		expect(await cutOffRun({ delivered: ['a'] })).toEqual(['a']);
		for (let n = 0; n < 3; n++) expect(await cutOffRun({ recovered: ['a'] })).toEqual(['a']);
		expect(await cutOffRun({ recovered: ['a'] })).toEqual([]);
	});

	test('does not when it is only delivered once more, but when it is recovered afterwards', async () => {
		await cutOffRun({ delivered: ['a'] });
		expect(await run({ delivered: ['a'] })).toEqual([]);
		expect(await run({ recovered: ['a'] })).toEqual(['a']);
	});

	test('does not where it had lasted for more than 10 seconds, as what it did may be much', async () => {
		await run({ delivered: ['a'], lastsMs: WITHOUT_END });
		await clock.pass(10_100);
		restart();
		expect(await run({ recovered: ['a'] })).toEqual([]);
	});

	test('is told from one that another process is still at', async () => {
		await run({ delivered: ['a'], lastsMs: 9_000 });
		const main = aProcess();
		expect(await run({ recovered: ['a'] }, main)).toEqual([]);
	});

	test('comes again after 20 to 24 seconds, and one that nobody began after 5 to 6', async () => {
		await cutOffRun({ delivered: ['a'] });
		const before = clock.now();
		await run({ recovered: ['new'] });
		const settled = clock.now();
		await run({ recovered: ['a'] });
		const cutOff = clock.now();
		expect(settled - before).toBeGreaterThanOrEqual(5_000);
		expect(settled - before).toBeLessThanOrEqual(6_200);
		expect(cutOff - settled).toBeGreaterThanOrEqual(20_000);
		expect(cutOff - settled).toBeLessThanOrEqual(24_200);
	});
});

test.each([1, 2])(
	'a response runs where n8n was killed %i times while marks settled',
	async (kills) => {
		for (let n = 0; n < kills; n++) {
			void n8n.run({ recovered: ['a'] });
			await clock.pass(2_000);
			restart();
		}
		expect(await run({ recovered: ['a'] })).toEqual(['a']);
	},
);

test('a run that is stopped while marks settle runs nothing, and its response comes at the next look', async () => {
	expect(await run({ recovered: ['a'], stoppedAfterMs: 1_000 })).toEqual([]);
	expect(await run({ recovered: ['a'] })).toEqual(['a']);
});

test('a run that is stopped again and again while marks settle loses nothing', async () => {
	await cutOffRun({ delivered: ['a'] });
	const stopped = { recovered: ['a', 'b'], stoppedAfterMs: 15_000 };
	expect(await run(stopped)).toEqual(['b']);
	for (let n = 0; n < 6; n++) expect(await run(stopped)).toEqual([]);
	expect(await run({ recovered: ['a', 'b'] })).toEqual(['a']);
	await clock.pass(MINUTE);
	restart();
	expect(await run({ recovered: ['a', 'b'] })).toEqual([]);
});

test('a run that is stopped when it was about to run its response does so at once at the next look', async () => {
	slowStore(() => 2_000);
	expect(await run({ recovered: ['a'], stoppedAfterMs: 8_500 })).toEqual([]);
	slowStore(() => 0);
	const before = clock.now();
	expect(await run({ recovered: ['a'] })).toEqual(['a']);
	expect(clock.now() - before).toBeLessThan(5_000);
});

test('runs that are stopped when some may run and others still wait lose nothing', async () => {
	const keys = [...'abcdefgh'];
	const ran: string[] = [];
	await cutOffRun({ delivered: keys });
	for (let n = 0; n < 4; n++) {
		ran.push(...(await run({ recovered: keys, stoppedAfterMs: 22_000 })));
		await clock.pass(MINUTE);
	}
	ran.push(...(await run({ recovered: keys })));
	expect(ran.sort()).toEqual(keys);
});

test.each([3_000, 9_000, 12_000])(
	'a run that n8n did not survive is taken over once by two processes %i ms apart',
	async (gapMs) => {
		await cutOffRun({ delivered: ['a'] });
		const [first, second] = [aProcess(), aProcess()];
		const earlier = first.run({ recovered: ['a'], lastsMs: 12_000 });
		await clock.pass(gapMs);
		const later = second.run({ recovered: ['a'], lastsMs: 12_000 });
		const ran = await whileTimePasses(clock, Promise.all([earlier, later]));
		expect(ran.flat()).toEqual(['a']);
	},
);

test.each([500, 1_000, 2_000, 3_000])(
	'what a run may have at once does not wait for the rest, or another process would take it over: %i ms apart',
	async (gapMs) => {
		await cutOffRun({ delivered: ['cut off'] });
		const [one, other] = [aProcess(), aProcess()];
		const recovering = one.run({ recovered: ['new', 'cut off'] });
		await clock.pass(gapMs);
		const delivering = other.run({ recovered: ['new'] });
		const ran = await whileTimePasses(clock, Promise.all([recovering, delivering]));
		expect(ran).toEqual([['new', 'cut off'], []]);
	},
);

describe('two runs of the same responses in one process', () => {
	test('the second one waits for what comes of the first, and has what that leaves', async () => {
		await cutOffRun({ delivered: ['cut off'] });
		// Emitted by a main process that is gone, which asks for no more.
		const first = n8n.run({ recovered: ['new', 'cut off'], isAskedOnce: true });
		await clock.pass(2_000);
		const second = n8n.run({ recovered: ['new', 'cut off'] });
		const ran = await whileTimePasses(clock, Promise.all([first, second]));
		expect(ran).toEqual([['new'], ['cut off']]);
	});

	test.each([1, 2, 3])('%i more do not all get it', async (more) => {
		const runs = Array.from({ length: 1 + more }, async () => await n8n.run({ recovered: ['a'] }));
		expect((await whileTimePasses(clock, Promise.all(runs))).flat()).toEqual(['a']);
	});

	test.each(['delivered', 'recovered'])(
		'the second one does not tell that a response is done which is %s and may still be killed',
		async (kind) => {
			void n8n.run({ [kind]: ['a'], lastsMs: WITHOUT_END });
			await clock.pass(6_500);
			let isTold = false;
			void n8n.run({ recovered: ['a'] }).then(() => (isTold = true));
			await clock.pass(3_000);
			expect(isTold).toBe(false);
			await clock.pass(10_000);
			expect(isTold).toBe(true);
		},
	);
});

test('a response that two hooks deliver to two processes at the same instant runs once', async () => {
	slowStore(() => 100);
	const other = aProcess();
	const both = Promise.all([n8n.run({ delivered: ['a'] }), other.run({ recovered: ['a'] })]);
	expect((await whileTimePasses(clock, both)).flat()).toEqual(['a']);
});

test('a response that two processes begin at the same instant runs where n8n is killed soon after', async () => {
	slowStore(() => 10);
	const other = aProcess();
	const both = [n8n, other].map(
		async (process) => await process.run({ recovered: ['a'], lastsMs: WITHOUT_END }),
	);
	await clock.pass(12_000);
	await expect(Promise.race(both)).resolves.toEqual(['a']);
	restart();
	expect(await run({ recovered: ['a'] })).toEqual(['a']);
});

describe('a run that a person retries', () => {
	test('is noted, so that it does not come again after a restart', async () => {
		await whileTimePasses(clock, n8n.retry(['a']));
		await clock.pass(100);
		restart();
		expect(await run({ recovered: ['a'] })).toEqual([]);
		expect(await run({ delivered: ['a'] })).toEqual([]);
	});
});

describe('what is known', () => {
	const knows = async (key: string, { journal } = n8n) =>
		await inRun(async (context) => journal.isKnown(context, key));

	test('is known to the same process only', async () => {
		await run({ delivered: ['a'] });
		expect([await knows('a'), await knows('b'), await knows('a', aProcess())]).toEqual([
			true,
			false,
			false,
		]);
	});

	test('does not grow without end, and the oldest are forgotten', async () => {
		const keys = Array.from({ length: 1_000 }, (_, n) => `key ${n}`);
		for (let n = 0; n < 1_000; n += 25) await run({ delivered: keys.slice(n, n + 25) });
		const known = await Promise.all(keys.map(async (key) => await knows(key)));
		expect(known.lastIndexOf(false)).toBe(1_000 - 250 - 1);
		expect(known.filter(Boolean)).toHaveLength(250);
		expect(recorded().length).toBeLessThanOrEqual(2_000);
	});
});

describe('a store that fails', () => {
	const locked = new Error('database is locked');

	test('lets all pass: better twice than never', async () => {
		await run({ delivered: ['a'] });
		restart();
		failStore(locked);
		expect(await run({ delivered: ['a', 'b'] })).toEqual(['a', 'b']);
	});

	test('for good lets pass also what is recovered', async () => {
		await run({ delivered: ['a'] });
		await clock.pass(100);
		restart();
		failStore(...Array<Error>(20).fill(locked));
		expect(await run({ recovered: ['a'] })).toEqual(['a']);
	});

	test('for a moment lets nothing pass that ran: it is asked again once marks settled', async () => {
		await run({ delivered: ['a'] });
		await clock.pass(100);
		restart();
		failStore(locked);
		expect(await run({ recovered: ['a'] })).toEqual([]);
	});

	test('does not forget a run: its marks are made again', async () => {
		failStore(locked, locked);
		await run({ delivered: ['a'] });
		await clock.pass(MINUTE);
		restart();
		expect(await run({ recovered: ['a'] })).toEqual([]);
	});
});

describe('at the end of a run n8n', () => {
	/** Until when n8n waits, in milliseconds. */
	async function waited(lastsMs: number) {
		let until: number | undefined;
		void n8n.run({ delivered: ['a'], lastsMs, onEnd: () => (until ??= clock.elapsed()) });
		await clock.pass(lastsMs - 100);
		while (until === undefined) await clock.pass(5);
		return until - lastsMs;
	}

	test('waits for the store, and no longer where nobody shares it', async () => {
		expect(await waited(1_000)).toBeLessThan(200);
	});

	test.each([9_990, 10_010])('waits also for what began after 10 s: %d ms', async (lastsMs) => {
		slowStore(() => 20);
		await waited(lastsMs);
		restart();
		slowStore(() => 0);
		expect(await run({ recovered: ['a'] })).toEqual([]);
	});
});

test('marks are made again a few times, and then never', async () => {
	await run({ delivered: ['a'] });
	await clock.pass(MINUTE);
	const calls = storeCalls();
	expect(calls).toBeGreaterThan(3);
	expect(calls).toBeLessThan(10);
	await clock.pass(10 * MINUTE);
	expect(storeCalls()).toBe(calls);
});

test('under load a response costs one call of the store', async () => {
	await run({ delivered: ['first'] });
	const before = storeCalls();
	for (let n = 0; n < 20; n++) await n8n.run({ delivered: [`${n}`] });
	expect(storeCalls() - before).toBeLessThanOrEqual(21);
});
