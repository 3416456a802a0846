import {
	countRecorded,
	tryToPeek,
	tryToRecord,
} from '../../../../nodes/FormResponses/processedStore';
import { FormResponses } from '../../../../nodes/FormResponses/FormResponses.node';
import { eventually, limitsOnClock, startClock, type Clock } from '../../kit/clock';
import { emptyStores, failStore, recorded, slowStore, storeCalls } from '../../kit/processedStore';
import { keepLogs } from '../../kit/logs';
import { inRun } from '../../kit/inRun';
import { whileTimePasses } from './trigger/trigger.fixture';

beforeEach(emptyStores);

const recordKeys = async (keys: string[], maxEntries = 100, nodeId = 'node-1') =>
	await inRun(
		async (context) => [...((await tryToRecord(context, keys, maxEntries)) ?? ['no answer'])],
		{ nodeId },
	);

/** Records these lists of keys at the same time, in one run. */
const recordAtOnce = async (...lists: string[][]) =>
	await inRun(
		async (context) =>
			await Promise.all(lists.map(async (keys) => [...(await tryToRecord(context, keys, 100))!])),
	);

test('a key is new once', async () => {
	expect(await recordKeys(['a', 'b'])).toEqual(['a', 'b']);
	expect(await recordKeys(['b', 'c'])).toEqual(['c']);
	expect(await recordKeys(['a', 'b', 'c'])).toEqual([]);
});

test('two nodes have a store each, also where they record at the same time', async () => {
	const both = [recordKeys(['a']), recordKeys(['a'], 100, 'node-2')];
	expect(await Promise.all(both)).toEqual([['a'], ['a']]);
	expect(await recordKeys(['a'], 100, 'node-3')).toEqual(['a']);
});

test('no more keys are remembered than told, and the oldest are forgotten', async () => {
	for (const key of ['a', 'b', 'c']) await recordKeys([key], 2);
	expect(recorded()).toEqual(['b', 'c']);
	expect(await recordKeys(['c'], 2)).toEqual([]);
	expect(await recordKeys(['a'], 2)).toEqual(['a']);
});

test('of calls at the same time one gets a key, and no entry is lost', async () => {
	const own = Array.from({ length: 10 }, (_, n) => `own ${n}`);
	const results = (await recordAtOnce(...own.map((key) => ['shared', key]))).flat();
	expect(results.filter((key) => key === 'shared')).toHaveLength(1);
	expect(new Set(results).size).toBe(11);
	expect(recorded()).toHaveLength(11);
	expect(await recordKeys(own)).toEqual([]);
});

test('what comes while the store is busy is asked together', async () => {
	await recordAtOnce(['a'], ['b'], ['c'], ['d']);
	expect(storeCalls()).toBe(2);
});

test('nothing to record asks nobody', async () => {
	expect(await recordKeys([])).toEqual([]);
	expect(storeCalls()).toBe(0);
});

test('what has patience goes along with the next call', async () => {
	const clock = startClock({ standing: true });
	await inRun(async (context) => {
		const patient = tryToRecord(context, ['a'], 100, 50);
		const hurried = tryToRecord(context, ['b'], 100);
		expect([await patient, await hurried]).toEqual([new Set(['a']), new Set(['b'])]);
	});
	expect([storeCalls(), clock.elapsed()]).toEqual([1, 0]);
});

test('patience ends, also where no call comes', async () => {
	const clock = startClock({ standing: true });
	await inRun(async (context) => {
		void tryToRecord(context, ['a'], 100, 50);
		await clock.pass(49);
		expect(recorded()).toEqual([]);
		await clock.pass(1);
		await eventually(() => expect(recorded()).toEqual(['a']));
	});
});

describe('a peek', () => {
	const peek = async (keys: string[], maxEntries = 100) =>
		await inRun(async (context) => [
			...((await tryToPeek(context, keys, maxEntries)) ?? ['no answer']),
		]);

	test('tells which keys are not recorded, and records none', async () => {
		await recordKeys(['a', 'b']);
		expect(await peek(['b', 'c', 'd'])).toEqual(['c', 'd']);
		expect(await peek(['c'])).toEqual(['c']);
		expect(recorded()).toEqual(['a', 'b']);
		const calls = storeCalls();
		expect([await peek(['a']), storeCalls() - calls]).toEqual([[], 1]);
	});

	test('displaces nothing, also where the store is full', async () => {
		await recordKeys(['a', 'b'], 2);
		expect(await peek(['c', 'd', 'e'], 2)).toEqual(['c', 'd', 'e']);
		expect(recorded()).toEqual(['a', 'b']);
	});

	test('takes its turn, so that nothing is recorded between', async () => {
		await inRun(async (context) => {
			const peeking = tryToPeek(context, ['a'], 100);
			const recording = tryToRecord(context, ['a', 'b'], 100);
			expect([await peeking, await recording]).toEqual([new Set(['a']), new Set(['a', 'b'])]);
		});
		expect(recorded()).toEqual(['a', 'b']);
	});

	const locked = new Error('database is locked');

	test('has no answer where the store has none', async () => {
		failStore(locked);
		expect(await peek(['a'])).toEqual(['no answer']);
	});

	test.each([
		[1, ['a'], []],
		[2, ['a'], []],
		[3, ['no answer'], ['a']],
	])('takes back what it recorded, though %i calls fail', async (times, told, left) => {
		const clock = startClock({ standing: true });
		failStore(undefined, ...Array<Error>(times).fill(locked));
		expect([await whileTimePasses(clock, peek(['a'])), recorded()]).toEqual([told, left]);
	});
});

describe('a store that fails', () => {
	const locked = new Error('database is locked');

	test.each([
		'UNIQUE constraint failed: processed_data.workflowId',
		'duplicate key value violates unique constraint "PK_1"',
	])('because two made its first entry is asked again: %s', async (message) => {
		failStore(new Error(message));
		expect(await recordKeys(['a'])).toEqual(['a']);
		expect([recorded(), storeCalls()]).toEqual([['a'], 2]);
	});

	test('twice gives no answer', async () => {
		failStore(new Error('UNIQUE constraint failed: processed_data.workflowId'), locked);
		expect(await recordKeys(['a'])).toEqual(['no answer']);
	});

	test('in another way is asked again by a later run only: a second answer would tell that the keys are old', async () => {
		failStore(locked);
		expect(await recordKeys(['a'])).toEqual(['no answer']);
		expect(storeCalls()).toBe(1);
		expect(await recordKeys(['a'])).toEqual(['a']);
	});

	test('gives no answer where all may pass, and the log says why', async () => {
		const logs = keepLogs(new FormResponses());
		failStore(locked);
		const answer = await inRun(async (context) => await tryToRecord(context, ['a'], 100));
		expect(answer).toBeUndefined();
		const message = expect.stringMatching(/may run twice: database is locked/) as string;
		expect(logs.filter(({ level }) => level === 'warn')).toEqual([{ level: 'warn', message }]);
	});
});

describe('a store that leaves a call unanswered', () => {
	const HOUR = 3_600_000;
	let clock: Clock;
	let keys: number;

	beforeEach(() => {
		keys = 0;
		clock = startClock({ standing: true });
		limitsOnClock();
	});

	afterEach(async () => await clock.pass(5 * HOUR));

	/** Lets each of these nodes record a new key. Tells which have an answer after this many milliseconds. */
	async function answered(nodes: number[], ms = 0) {
		const answers = nodes.map(async (node) => {
			const key = `key ${++keys}`;
			return (await recordKeys([key], 100, `node-${node}`)).includes(key);
		});
		await clock.pass(ms);
		return await Promise.all(answers);
	}

	const count = async () =>
		await inRun(async (context) => (await countRecorded(context)) ?? 'none');

	/** The first call is answered after 4 hours, and the others wait for it. */
	beforeEach(async () => {
		slowStore(() => 4 * HOUR);
		expect(await answered([1, 1, 2, 3], 10_001)).toEqual([false, false, false, false]);
		expect(storeCalls()).toBe(1);
		slowStore(undefined);
	});

	test('is asked nothing else for a minute, by no node, and nobody waits for it', async () => {
		expect(await answered([1, 2])).toEqual([false, false]);
		await clock.pass(49_000);
		expect(await answered([4, 4])).toEqual([false, false]);
		expect([await count(), storeCalls()]).toEqual(['none', 1]);
	});

	test('answers again after a minute, whatever becomes of that call', async () => {
		await clock.pass(50_000);
		for (let again = 0; again < 3; again++) {
			expect(await answered([1, 2, 4])).toEqual([true, true, true]);
			await clock.pass(1_000);
		}
		expect(await count()).toBe(4);
	});

	test('is asked once more if it still hangs then, until it answers one of the two', async () => {
		await clock.pass(HOUR);
		slowStore(() => HOUR);
		expect(await answered([1, 2], 10_001)).toEqual([false, false]);
		await clock.pass(HOUR / 2);
		expect(await answered([1, 5])).toEqual([false, false]);
		expect(storeCalls()).toBe(2);
		slowStore(undefined);
		await clock.pass(HOUR / 2);
		expect(await answered([1, 5])).toEqual([true, true]);
	});

	test('records in the end what waited with it, and nothing that came later', async () => {
		await answered(Array<number>(100).fill(1));
		await clock.pass(4 * HOUR);
		await eventually(() => expect(recorded()).toEqual(['key 1', 'key 2', 'key 3', 'key 4']));
	});
});
