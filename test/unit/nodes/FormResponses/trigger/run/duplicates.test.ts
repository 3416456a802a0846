import { sleep } from 'n8n-workflow';
import type { Verdict } from '../../../../../../nodes/FormResponses/trigger/runInput';
import type { Item } from '../../../../../../nodes/FormResponses/trigger/run/duplicateRules';
import { startClock, type Clock } from '../../../../kit/clock';
import {
	emptyStores,
	failStore,
	recorded,
	slowStore,
	storeCalls,
} from '../../../../kit/processedStore';
import { inRun } from '../../../../kit/inRun';
import { whileTimePasses } from '../trigger.fixture';
import { aProcess } from './process.fixture';

const FOREVER = Infinity;
const locked = new Error('The database is locked');

let clock: Clock;
let n8n: ReturnType<typeof anN8n>;

beforeEach(() => {
	clock = startClock({ standing: true });
	emptyStores();
	n8n = anN8n();
});

interface Run {
	/** How long the rest of the workflow takes. */
	lastsMs?: number;
	isOldN8n?: boolean;
	/** When n8n cancels the run. */
	stopsAfterMs?: number;
	/** Called once n8n was let go on at the end. */
	onEnd?: () => void;
}

function anN8n(options = {}) {
	const code = aProcess(options);
	const start = async (items: Item[], run: Run = {}): Promise<Verdict[]> =>
		await inRun(async (context) => {
			const { lastsMs = 0, isOldN8n, stopsAfterMs = FOREVER, onEnd } = run;
			const onExecutionFinish = (tell: () => Promise<unknown>) => {
				if (lastsMs < FOREVER) void sleep(lastsMs).then(tell).then(onEnd);
			};
			const stopsAt = clock.now() + stopsAfterMs;
			Object.assign(context, {
				onExecutionFinish: isOldN8n ? undefined : onExecutionFinish,
				getExecutionCancelSignal: () => ({ aborted: clock.now() >= stopsAt }),
			});
			const claims = items.map(async (item) => await code.claim(context, code.memory, item));
			return await Promise.all(claims);
		});
	const foresee = async (items: Item[]): Promise<Verdict[]> =>
		await inRun(async (context) => await code.foresee(context, code.memory, items));
	return {
		start,
		dismiss: async (...keys: string[]) =>
			await inRun(async (context) => await code.dismiss(context, code.memory, keys)),
		/** What a question about these is answered. */
		foresee: async (items: Item[]) => (await whileTimePasses(clock, foresee(items))).join(),
		run: async (items: Item[], run?: Run) => {
			const verdicts = await whileTimePasses(clock, start(items, run));
			await clock.pass(100);
			return verdicts.join();
		},
		knownKeys: () => [...code.memory.known],
	};
}

const of =
	(kind: Item['kind'], more: Partial<Item> = {}) =>
	(...keys: string[]): Item[] =>
		keys.map((key) => ({ key, kind, ...more }));
const delivered = of('delivered');
const missed = of('missed');
const unfinished = of('unfinished');
const wanted = of('wanted');

const killed: Run = { lastsMs: FOREVER };
/** In the process of the trigger. */
const beside = { hasTrigger: true };

/** n8n is killed, and started again. */
function restart(options = {}) {
	clock.kill();
	n8n = anN8n(options);
}

const ENDED = ['a', 'a ended', 'a ended 2', 'a ended 3'];

describe('what waited for its run for', () => {
	const queuedFor = (ms: number, kind: Item['kind'] = 'missed') =>
		of(kind, { emittedAt: Date.now() - ms })('a');

	test.each<[Item['kind'], number, object, string[][]]>([
		['missed', 4_900, {}, [['a'], ['a']]],
		['missed', 5_100, {}, [[], ['a']]],
		['missed', 5_100, { hasTrigger: true }, [['a'], ['a']]],
	])('%s, %i ms in a queue (%j): asks after 1 to 3 seconds: %j', async (...row) => {
		const [kind, ms, options, expected] = row;
		restart(options);
		const claiming = n8n.start(queuedFor(ms, kind), { lastsMs: FOREVER });
		await clock.pass(990);
		const early = recorded();
		await clock.pass(2_010);
		expect([early, recorded()]).toEqual(expected);
		expect(await claiming).toEqual(['pass']);
	});

	test.each([
		[0, 990, 1_010],
		[1, 2_990, 3_010],
	])('asks at a random moment (%d): after %i to %i ms', async (random, before, after) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		void n8n.start(queuedFor(60_000), { lastsMs: FOREVER });
		await clock.pass(before);
		expect(recorded()).toEqual([]);
		await clock.pass(after - before);
		expect(recorded()).toEqual(['a']);
	});

	test.each<[string, number, Item['kind'], Verdict]>([
		['minutes in a queue, as its delivery did', 200_000, 'missed', 'told'],
		['because the live hook may bring it', 5_100, 'delivered', 'done'],
	])('%s, runs once', async (_, ms, kind, expected) => {
		slowStore(() => 50);
		const other = anN8n();
		const first = other.start(delivered('a'), { lastsMs: FOREVER });
		const both = Promise.all([first, n8n.start(queuedFor(ms, kind))]);
		expect(await whileTimePasses(clock, both)).toEqual([['pass'], [expected]]);
	});
});

describe('in the process that ran it, a response', () => {
	test.each<[string, (key: string) => Item[], string]>([
		['delivered again', delivered, 'done'],
		['missed', missed, 'done'],
		['unfinished', unfinished, 'done'],
		['wanted', wanted, 'pass'],
	])('that is %s: %s', async (_, again, expected) => {
		await n8n.run(delivered('a'), { lastsMs: FOREVER });
		// It counts as ended after 10 seconds.
		await clock.pass(20_000);
		const calls = storeCalls();
		expect(await n8n.run(again('a'))).toBe(expected);
		expect(storeCalls() > calls).toBe(expected === 'pass');
	});

	test.each<[string, Item[], Item[], Verdict[]]>([
		['delivered twice, runs once', delivered('a'), delivered('a', 'b'), ['done', 'pass']],
		['missed twice, is left to the next emission', missed('a'), missed('a'), ['told']],
		['delivered, and missed', delivered('a'), missed('a'), ['told']],
		['missed, and delivered', missed('a'), delivered('a'), ['done']],
		['wanted twice, runs twice', wanted('a'), wanted('a'), ['pass']],
	])('before the store answers, %s', async (_, first, second, expected) => {
		slowStore(() => 50);
		const both = Promise.all([n8n.start(first), n8n.start(second)]);
		expect(await whileTimePasses(clock, both)).toEqual([['pass'], expected]);
	});

	test.each([
		[9_000, 'told'],
		[11_000, 'done'],
	])('whose run has lasted %i ms: %s, as the process may be killed', async (ms, expected) => {
		await n8n.run(delivered('a'), { lastsMs: FOREVER });
		await clock.pass(ms - 100);
		expect(await n8n.run(missed('a'))).toBe(expected);
	});

	test('that comes twice in one run passes once', async () => {
		expect(await n8n.run(delivered('a', 'a'))).toBe('pass,done');
	});

	test('is one of the latest 250', async () => {
		const keys = Array.from({ length: 260 }, (_, n) => `${n}`);
		for (const key of keys) await n8n.start(delivered(key));
		expect(n8n.knownKeys()).toEqual(keys.slice(10));
	});
});

describe('after a restart, a response', () => {
	const ended: Run = { lastsMs: 0 };

	test.each<[string, Run, string, (key: string) => Item[], object]>([
		['whose run ended, missed', ended, 'done', missed, {}],
		['whose run ended, missed, beside the trigger', ended, 'done', missed, beside],
		['whose run ended, unfinished', ended, 'done', unfinished, {}],
		['whose run was killed, delivered again', killed, 'done', delivered, {}],
		['whose run was killed, missed', killed, 'told', missed, {}],
		['whose run was killed, missed, beside the trigger', killed, 'pass', missed, beside],
		['whose run was killed, unfinished', killed, 'pass', unfinished, {}],
	])('%s', async (_, run, expected, again, options) => {
		await n8n.run(delivered('a'), run);
		restart(options);
		expect(await n8n.run(again('a'))).toBe(expected);
	});

	test.each([
		['delivered, unfinished', delivered, unfinished, {}],
		['missed beside the trigger', missed, missed, beside],
	])('is taken over three times: %s', async (_, first, again, options) => {
		restart(options);
		await n8n.run(first('a'), killed);
		const verdicts: string[] = [];
		for (let n = 0; n < 4; n++) {
			restart(options);
			verdicts.push(await n8n.run(again('a'), killed));
		}
		expect(verdicts).toEqual(['pass', 'pass', 'pass', 'done']);
	});
});

describe('a question', () => {
	test.each<[string, Run, object, string, string]>([
		['that ended', {}, {}, 'done', 'done'],
		['that ended, beside the trigger', {}, beside, 'done', 'done'],
		['that was killed', killed, {}, 'told', 'free'],
		['that was killed, beside the trigger', killed, beside, 'free', 'free'],
	])('about what another run had begun %s', async (_, run, options, first, unfinishedLater) => {
		await n8n.run(delivered('a'), run);
		restart(options);
		expect(await n8n.foresee([...missed('a'), ...unfinished('a')])).toBe(
			`${first},${unfinishedLater}`,
		);
	});

	test('leaves the store as it was, so that each response then runs by itself', async () => {
		await n8n.run(delivered('a'), killed);
		await n8n.run(delivered('b'));
		restart();
		const marks = recorded();
		expect(await n8n.foresee(missed('a', 'b', 'c', 'd'))).toBe('told,done,free,free');
		expect(recorded()).toEqual(marks);
		expect([await n8n.run(missed('c')), await n8n.run(delivered('d'))]).toEqual(['pass', 'pass']);
		expect(await n8n.run(unfinished('a'))).toBe('pass');
	});

	test('counts what runs in this process without asking, and takes nothing from it', async () => {
		restart(beside);
		slowStore(() => 50);
		const run = n8n.start(delivered('a'), { lastsMs: FOREVER });
		expect(await n8n.foresee(missed('a'))).toBe('told');
		expect(await run).toEqual(['pass']);
		await clock.pass(20_000);
		expect(await n8n.foresee(missed('a'))).toBe('done');
		expect(await n8n.foresee(missed('b'))).toBe('free');
		expect(await n8n.run(missed('b'))).toBe('pass');
	});

	test.each([
		['not begun', 1],
		['killed', 2],
	])('whose marks the store did not take back loses nothing that was %s', async (_, calls) => {
		if (calls > 1) await n8n.run(delivered('a'), killed);
		restart();
		failStore(...Array<undefined>(calls).fill(undefined), locked, locked, locked);
		await n8n.foresee(missed('a'));
		expect(await n8n.foresee(missed('a'))).toBe('told');
		expect(await n8n.run(unfinished('a'))).toBe('pass');
	});

	test('has no answer where the store has none, and frees what was asked about in vain', async () => {
		failStore(locked);
		expect(await n8n.foresee([...missed('a'), ...of('missed', { tries: 3 })('b')])).toBe(
			'again,free',
		);
	});
});

describe('a run that was stopped', () => {
	test.each([delivered, missed, wanted])('unanswered outputs nothing: %#', async (kind) => {
		slowStore(() => 100);
		expect(await n8n.run(kind('a'), { stopsAfterMs: 50 })).toBe('again');
		await clock.pass(20_000);
		expect(recorded()).toEqual(['a']);
		expect(await n8n.run(unfinished('a'))).toBe('pass');
	});

	test('asks no more, so a slow store uses up no end', async () => {
		await n8n.run(delivered('a'), { lastsMs: FOREVER });
		restart();
		slowStore(() => 100);
		for (let n = 0; n < 5; n++) {
			expect(await n8n.run(unfinished('a'), { stopsAfterMs: 50 })).toBe('again');
		}
		expect(recorded()).toEqual(['a']);
	});

	test('before it asked leaves no mark', async () => {
		expect(await n8n.run(missed('a'), { stopsAfterMs: 0 })).toBe('again');
		expect(recorded()).toEqual([]);
	});
});

describe('the end of a run is recorded', () => {
	test.each<[string, Run, number, string[]]>([
		['at its end', { lastsMs: 2_000 }, 1_900, ['a']],
		['at its end', { lastsMs: 2_000 }, 2_100, ENDED],
		['after 10 seconds', { lastsMs: FOREVER }, 9_900, ['a']],
		['after 10 seconds', { lastsMs: FOREVER }, 10_100, ENDED],
		['at once by an n8n that tells no end', { isOldN8n: true }, 60, ENDED],
	])('%s: %j, after %i ms', async (_, run, ms, expected) => {
		const claiming = n8n.start(delivered('a'), run);
		await clock.pass(ms);
		await claiming;
		expect(recorded()).toEqual(expected);
	});

	test('once, whatever comes first', async () => {
		restart({ hasTrigger: true });
		await n8n.run(delivered('a'), { lastsMs: 9_990 });
		await clock.pass(60_000);
		expect(storeCalls()).toBe(2);
	});

	test.each([9_990, 10_010])('before n8n goes on: a run of %i ms', async (lastsMs) => {
		slowStore(() => 200);
		let marks: unknown[] = [];
		void n8n.start(delivered('a'), { lastsMs, onEnd: () => (marks = recorded()) });
		await clock.pass(11_000);
		expect(marks).toEqual(ENDED);
	});

	test('again where another process has erased it', async () => {
		await n8n.run(delivered('a'));
		emptyStores();
		await clock.pass(5_000);
		expect(recorded()).toEqual(ENDED);
	});

	test('though it never runs, again where another process has erased it', async () => {
		await whileTimePasses(clock, n8n.dismiss('a'));
		emptyStores();
		await clock.pass(5_000);
		expect(recorded()).toEqual(ENDED);
	});

	test('not for what did not pass', async () => {
		await n8n.run(delivered('a'), { lastsMs: FOREVER });
		restart();
		await n8n.run(delivered('a', 'b'));
		await clock.pass(1_000);
		expect(recorded()).toEqual(['a', 'b', 'b ended', 'b ended 2', 'b ended 3']);
	});
});

test.each<[string, Item[], string, object?]>([
	['what was delivered pass', delivered('a'), 'pass'],
	['what was delivered beside the trigger pass', delivered('a'), 'pass', beside],
	['what was missed wait for another emission', of('missed', { tries: 2 })('a'), 'again'],
	['what was emitted three times in vain pass', of('missed', { tries: 3 })('a'), 'pass'],
])('a store that does not answer lets %s', async (...row) => {
	const [, items, expected, options] = row;
	restart(options);
	failStore(locked);
	expect(await n8n.run(items, { lastsMs: FOREVER })).toBe(expected);
	await clock.pass(5_000);
	expect(recorded()).toEqual(expected === 'pass' ? ['a'] : []);
});

test.each([1, 3])('after %i calls that work, the rest waits', async (calls) => {
	await n8n.run(delivered('b'));
	restart();
	failStore(...Array<undefined>(calls).fill(undefined), locked);
	expect(await n8n.run(of('unfinished', { tries: 3 })('b'))).toBe('told');
	expect(await n8n.run(unfinished('b'))).toBe('done');
});

test('one call of the store decides, without a wait, and with the end of an earlier run', async () => {
	restart({ hasTrigger: true });
	for (let n = 0; n < 20; n++) await n8n.start(delivered(`${n}`));
	expect(clock.elapsed()).toBe(0);
	await clock.pass(100);
	expect(storeCalls()).toBeLessThanOrEqual(22);
});
