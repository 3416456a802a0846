import type { IDataObject, IRun } from 'n8n-workflow';
import { responseKey } from '../../../../../../nodes/FormResponses/transport/responseKey';
import { createEmission } from '../../../../../../nodes/FormResponses/trigger/recover/emission';
import { addKnown, emptyMemory } from '../../../../../../nodes/FormResponses/trigger/state/memory';
import { startClock, type Clock } from '../../../../kit/clock';
import { keepLogs } from '../../../../kit/logs';
import { aRun, askedIn, aTriggerContext, lostRun, type OnEmit } from '../../../../kit/trigger';
import { responsesOf } from '../../../../kit/samples';
import { aWorkflow, idsIn, recovered, trigger } from '../trigger.fixture';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const missed = [...responsesOf(3)].reverse();
const keys = missed.map(responseKey);

let clock: Clock;

beforeEach(() => {
	clock = startClock({ standing: true });
});

function anEmission(
	onEmit?: OnEmit,
	{ isActive = (): boolean => true, parameters = {} as IDataObject } = {},
) {
	const { context, emitted, failures } = aTriggerContext(aWorkflow(parameters), { onEmit });
	const memory = emptyMemory();
	const late: boolean[] = [];
	const onLate = (isLate: boolean) => late.push(isLate);
	const emission = createEmission({ context, memory, isActive, onLate });
	const look = { now: clock.now(), isPolling: true, isFirst: false, isOldestShown: false };
	const numberOf = ({ key }: IDataObject) => Number(String(key).slice(0, 36).slice(-2));
	const numbersIn = (items: IDataObject[]) => idsIn([items])[0].map((id) => Number(id.slice(-2)));
	return {
		...emission,
		memory,
		emitted,
		failures,
		late,
		/** What a poll found: nothing else runs it. */
		add: (found = missed, isOldestShown = false) => emission.add(found, { ...look, isOldestShown }),
		addOfHook: () => emission.add(missed, { ...look, isPolling: false }),
		/** What a start found; with a time, what was completed before it may predate the first publication. */
		addFirst(found = missed, guessUntil?: string) {
			const start = { isPolling: false, isFirst: true, guessUntil };
			emission.add(found, { ...look, ...start, now: look.now + MINUTE });
		},
		/** The numbers of the responses of each run, with a question mark for a question. */
		runs: () =>
			emitted.map((one) => {
				const asked = askedIn(one);
				return asked ? `${asked.map(numberOf).join(' ')}?` : numbersIn(one.items).join(' ');
			}),
		known: () => keys.filter((key) => memory.known.has(key)).length,
		pass: async (ms: number) => await clock.pass(ms),
	};
}

/** Runs that end when a test ends them, in the order of their start. */
function heldRuns() {
	const ends: Array<(run: IRun) => void> = [];
	const onEmit = async () => await new Promise<IRun>((resolve) => ends.push(resolve));
	return { ends, onEmit };
}

/** Runs that end with these verdicts in turn; n8n refuses those without. */
const ending =
	(...letters: Array<string | undefined>): OnEmit =>
	() => {
		const next = letters.shift();
		return next === undefined ? undefined : aRun(next);
	};

test.each([false, true])('each in its own run, the oldest first: %s', async (isOldestShown) => {
	const { add, emitted, pass } = anEmission();
	add(missed, isOldestShown);
	await pass(10);
	const items = recovered(missed, { isOldestShown, tries: 0, isUnfinished: false });
	expect(emitted).toMatchObject(items.map((item) => ({ items: [item] })));
});

test.each<[string, IDataObject, string, boolean, number]>([
	['left out', { options: { include: ['responseId'] } }, 'p', true, 1],
	['left out, but another run has the response', { options: { include: [] } }, 'd', true, 0],
	['left out, and none is out of reach', { options: { include: [] } }, 'p', false, 0],
	['in the item', {}, 'p', true, 0],
])('a warning that is %s: a failed execution tells it, or not', async (...row) => {
	const [, parameters, verdict, isOldest, times] = row;
	const { add, failures, pass } = anEmission(() => aRun(verdict), { parameters });
	add(missed, isOldest);
	await pass(10);
	const told = /^The oldest of the 25 responses .* out of its reach/;
	const failure = expect.objectContaining({
		message: expect.stringMatching(told) as string,
		description: expect.stringContaining('stays published') as string,
	});
	expect(failures).toEqual(Array(times).fill(failure));
});

test.each([
	['the clock of the machine is set back', 0, -3 * 60 * MINUTE],
	['a timer ends before its time', 2, 0],
])('what waits is emitted once, in time, also where %s', async (_, early, step) => {
	clock = startClock({ standing: true, early });
	const { addOfHook, runs, pass } = anEmission();
	addOfHook();
	clock.step(step);
	await pass(16.5 * SECOND + 10);
	expect(runs()).toEqual(['1 2 3?', '1', '2', '3']);
});

describe('what other runs may have', () => {
	test('is asked about by key in one run, and what nobody has runs, each by itself, in order', async () => {
		const { addFirst, emitted, runs, known, pass } = anEmission(ending('fdf', 'p', 'p'));
		addFirst();
		await pass(10);
		expect([runs(), known()]).toEqual([['1 2 3?', '1', '3'], 3]);
		expect(askedIn(emitted[0])?.map(({ key }) => key)).toEqual(keys);
		expect(JSON.stringify(emitted[0].items)).not.toMatch(/envelope|answers/);
	});

	test('is asked about again with what others had begun', async () => {
		const { addFirst, runs, emitted, pass } = anEmission(ending('tdt', 'df', 'p'));
		addFirst();
		await pass(34 * SECOND);
		expect(runs()).toEqual(['1 2 3?', '1 3?', '3']);
		expect(askedIn(emitted[1])).toMatchObject([{ isUnfinished: true }, { isUnfinished: true }]);
		expect(emitted[2].items).toMatchObject([{ isUnfinished: true, tries: 0 }]);
	});

	test('runs without a question if it is one alone', async () => {
		const { addFirst, runs, pass } = anEmission();
		addFirst([missed[0]]);
		await pass(10);
		expect(runs()).toEqual(['1']);
	});

	test('a question that n8n refuses, or that has no answer, is repeated, and all together', async () => {
		const { addFirst, runs, emitted, pass } = anEmission(ending(undefined, 'aaa', 'aaa', 'fff'));
		keepLogs(trigger);
		addFirst();
		await pass(MINUTE);
		expect(runs().slice(0, 5)).toEqual(['1 2 3?', '1 2 3?', '1 2 3?', '1 2 3?', '1']);
		expect(emitted.map((one) => askedIn(one)?.[0].tries).slice(0, 4)).toEqual([0, 1, 2, 3]);
	});
});

test('what n8n refuses to run is repeated by one run, however many there are', async () => {
	const { add, runs, pass } = anEmission(ending());
	keepLogs(trigger);
	add();
	await pass(11 * SECOND);
	expect(runs()).toEqual(['1', '2', '3', '1 2 3?']);
	await pass(10 * MINUTE);
	expect(new Set(runs().slice(3))).toEqual(new Set(['1 2 3?']));
	expect(runs().length).toBeLessThan(12);
});

test('what is found later is emitted in the order of the form', async () => {
	const { add, runs, pass } = anEmission();
	add(missed.slice(1));
	add(missed.slice(0, 1));
	await pass(10);
	expect(runs()).toEqual(['1', '2', '3']);
});

test('what n8n lost is asked about five minutes later, however much it is', async () => {
	const { add, emitted, pass } = anEmission(lostRun);
	add([...responsesOf(260)].reverse());
	await pass(10);
	expect(emitted).toHaveLength(260);
	await pass(5 * MINUTE);
	// Custom data has no room for more.
	const asked = emitted.slice(260).map((one) => askedIn(one)?.length);
	expect(asked).toEqual([250, 10]);
});

describe('a question without an answer', () => {
	test('is not waited for: n8n keeps runs when it is killed, and a question holds nothing', async () => {
		const { addFirst, runs, pass } = anEmission(lostRun);
		addFirst();
		await pass(9 * SECOND);
		expect(runs()).toEqual(['1 2 3?']);
		await pass(2 * SECOND);
		expect(runs()).toEqual(['1 2 3?', '1', '2', '3']);
		await pass(5 * MINUTE);
		expect(runs().slice(4)).toEqual(['1 2 3?']);
	});

	test('that comes late settles what is over', async () => {
		const { ends, onEmit } = heldRuns();
		const { addFirst, isPending, runs, pass } = anEmission(onEmit);
		addFirst();
		await pass(11 * SECOND);
		ends[0](aRun('dff'));
		await pass(MINUTE);
		expect([keys.map(isPending), runs().length]).toEqual([[false, true, true], 4]);
	});

	test('that comes late decides about what waited for it, but not about what runs by itself', async () => {
		const { ends, onEmit } = heldRuns();
		const { addFirst, runs, pass } = anEmission(onEmit);
		addFirst(missed, '2026-03-01T12:00:00Z');
		await pass(6 * MINUTE);
		expect(runs()).toEqual(['1 2 3?', '1 2 3?']);
		ends[0](aRun('fdf'));
		await pass(10);
		expect(runs().slice(2)).toEqual(['1', '3']);
		ends[1](aRun('fdf'));
		await pass(MINUTE);
		expect(runs()).toHaveLength(4);
	});

	test('that comes late changes nothing of what was asked about again', async () => {
		const { ends, onEmit } = heldRuns();
		const { addFirst, runs, pass } = anEmission(onEmit);
		addFirst(missed, '2026-03-01T12:00:00Z');
		await pass(6 * MINUTE);
		ends[0](aRun('ttt'));
		await pass(2 * MINUTE);
		expect(runs()).toEqual(['1 2 3?', '1 2 3?']);
	});

	test('that comes after a run of its own settles the others', async () => {
		const { ends, onEmit } = heldRuns();
		const { addFirst, isPending, pass } = anEmission(onEmit);
		addFirst();
		await pass(11 * SECOND);
		ends[1](aRun('p'));
		await pass(10);
		ends[0](aRun('fdd'));
		await pass(10);
		expect(keys.map(isPending)).toEqual([false, false, false]);
	});

	test('tells nothing of the hook, as the runs of its responses do', async () => {
		const { ends, onEmit } = heldRuns();
		const { addOfHook, late, pass } = anEmission(onEmit);
		addOfHook();
		await pass(27 * SECOND);
		[1, 2, 3].forEach((n) => ends[n](aRun('p')));
		await pass(10);
		ends[0](aRun('ddd'));
		await pass(10);
		expect(late).toEqual([true, true, true]);
	});
});

test('a delivery that came meanwhile is not emitted, and the hook is told of each that did not', async () => {
	const { addOfHook, memory, runs, isPending, late, pass } = anEmission(ending('fd', 'p'));
	addOfHook();
	await pass(16 * SECOND);
	expect(runs()).toEqual([]);
	addKnown(memory, [keys[1]]);
	await pass(0.5 * SECOND + 10);
	expect(runs()).toEqual(['1 3?', '1']);
	expect([keys.some(isPending), late]).toEqual([false, [false, true]]);
});

test('what a run could not ask for comes again after 5 to 10 seconds, and what another began after 30', async () => {
	const { add, emitted, runs, known, pass } = anEmission(ending('t', 'p', 'a', 'p', 'p'));
	add(missed, true);
	await pass(11 * SECOND);
	expect([runs(), known()]).toEqual([['1', '2', '3', '3'], 2]);
	await pass(18 * SECOND);
	expect(emitted).toHaveLength(4);
	await pass(7 * SECOND);
	expect([runs().slice(4), known()]).toEqual([['1'], 3]);
	const repeated = { isUnfinished: true, isOldestShown: true, tries: 0 };
	expect(emitted[4].items).toMatchObject([repeated]);
	await pass(10 * MINUTE);
	expect(emitted).toHaveLength(5);
});

test('the end of a run counts even after its response was asked about again, and starts nothing twice', async () => {
	const { ends, onEmit } = heldRuns();
	const { add, runs, known, isPending, pass } = anEmission(onEmit);
	add();
	await pass(5 * MINUTE + 10);
	expect(runs()).toEqual(['1', '2', '3', '1 2 3?']);
	['p', 't', 'a'].forEach((letter, n) => ends[n](aRun(letter)));
	await pass(MINUTE);
	expect([runs().length, known(), keys.map(isPending)]).toEqual([4, 1, [false, true, true]]);
});

test('a trigger that n8n closed or replaced emits nothing', async () => {
	let isActive = true;
	const { add, emitted, pass } = anEmission(() => undefined, { isActive: () => isActive });
	keepLogs(trigger);
	add();
	await pass(10);
	isActive = false;
	await pass(10 * MINUTE);
	expect(emitted).toHaveLength(3);
});

test.each([
	['is silent where it was output, as where the workflow has a time limit', 1, 1],
	['tells where it was not', 1, 0],
	['tells where one of two was not', 2, 1],
])('the log %s', async (_, count, output) => {
	const logs = keepLogs(trigger);
	const emission = anEmission(async () => {
		addKnown(emission.memory, keys.slice(0, output));
		return await Promise.reject(new Error('timed out'));
	});
	emission.addFirst(missed.slice(0, count));
	await emission.pass(SECOND);
	expect([logs.length, emission.emitted.length]).toEqual([count > output ? 1 : 0, 1]);
	for (const { message } of logs) expect(message).toMatch(/^A run could not .*: timed out/);
	await emission.pass(MINUTE);
	const isPending = keys.slice(0, count).map(emission.isPending);
	expect(isPending).toEqual(isPending.map((__, n) => n >= output));
});

const refusal = new Error('Engine 2.0 does not support donePromise');
const refusing: OnEmit = async ({ isAwaited }) =>
	await (isAwaited ? Promise.reject(refusal) : undefined);

test('an engine that does not wait answers no question, and runs each', async () => {
	const { addFirst, emitted, runs, pass } = anEmission(refusing);
	addFirst();
	await pass(SECOND);
	expect(runs()).toEqual(['1 2 3?', '1', '2', '3', '1', '2', '3']);
	expect(emitted.filter(({ isAwaited }) => !isAwaited)).toHaveLength(3);
});

test('an engine that does not wait is not waited for, and asked once more', async () => {
	const { add, emitted, known, pass } = anEmission(refusing);
	add([missed[0]]);
	await pass(MINUTE);
	expect(emitted.map(({ isAwaited }) => isAwaited)).toEqual([true, false, true, false]);
	const areUnfinished = emitted.map(({ items }) => items[0].isUnfinished);
	expect(areUnfinished).toEqual([false, false, true, true]);
	expect(known()).toBe(1);
});
