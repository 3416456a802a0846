import type { IRun } from 'n8n-workflow';
import { responseKey } from '../../../../../nodes/FormResponses/transport/responseKey';
import { createEmission } from '../../../../../nodes/FormResponses/trigger/recover/emission';
import { addKnown, emptyMemory } from '../../../../../nodes/FormResponses/trigger/state/memory';
import { startClock, type Clock } from '../../../../clock';
import { keepLogs } from '../../../../in-process/logs';
import { aRun, aTriggerContext, lostRun, type OnEmit } from '../../../../in-process/trigger';
import { idOf, responsesOf } from '../../../../samples';
import { aWorkflow, idsIn, recovered, trigger } from '../trigger.fixture';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const missed = [...responsesOf(3)].reverse();
const keys = missed.map(responseKey);

let clock: Clock;

beforeEach(() => {
	clock = startClock({ standing: true });
});

function anEmission(onEmit?: OnEmit, { isActive = (): boolean => true } = {}) {
	const { context, emitted } = aTriggerContext(aWorkflow(), { onEmit });
	const memory = emptyMemory();
	const late: number[] = [];
	const onEnded = (count: number) => late.push(count);
	const guessUntil = () => undefined;
	const emission = createEmission({ context, memory, isActive, guessUntil, onEnded });
	const look = { now: clock.now(), isPolling: true, isFirst: false };
	return {
		...emission,
		memory,
		emitted,
		late,
		add: (found = missed, isOldestShown = false) => emission.add(found, look, isOldestShown),
		addOfHook: () => emission.add(missed, { ...look, isPolling: false }, false),
		ids: () => idsIn(emitted.map(({ items }) => items)),
		known: () => keys.filter((key) => memory.known.has(key)).length,
		pass: async (ms: number) => await clock.pass(ms),
	};
}

const noReport = { status: 'success', data: {} } as unknown as Partial<IRun>;

const ids = (...numbers: number[]) => numbers.map((n) => idOf(n, 2));

test.each([false, true])('one run with all, the oldest first: %s', async (isOldestShown) => {
	const { add, emitted, pass } = anEmission();
	add(missed, isOldestShown);
	await pass(10);
	const items = recovered(missed, { isOldestShown, tries: 0, isUnfinished: false });
	expect(emitted).toMatchObject([{ items }]);
});

test.each([
	['the clock of the machine is set back', 0, -3 * 60 * MINUTE],
	['a timer ends before its time', 2, 0],
])('what waits is emitted once, in time, also where %s', async (_, early, step) => {
	clock = startClock({ standing: true, early });
	const { addOfHook, ids: idsOf, pass } = anEmission();
	addOfHook();
	clock.step(step);
	await pass(16.5 * SECOND + 10);
	expect(idsOf()).toEqual([ids(1, 2, 3)]);
});

test('what is found later goes along, in the order of the form', async () => {
	const { add, ids: idsOf, pass } = anEmission();
	add(missed.slice(1));
	add(missed.slice(0, 1));
	await pass(10);
	expect(idsOf()).toEqual([ids(1, 2, 3)]);
});

test('what is emitted again does not wait for what is found later', async () => {
	const { add, ids: idsOf, pass } = anEmission(() => undefined);
	keepLogs(trigger);
	add(missed.slice(1));
	await pass(4 * SECOND);
	add(missed.slice(0, 1));
	await pass(SECOND + 10);
	expect(idsOf()).toEqual([ids(2, 3), ids(1), ids(2, 3)]);
});

test('what is never heard of takes nothing over, so that of two runs in the queue one outputs it', async () => {
	const runs = [aRun(0, noReport), new Promise<IRun>(() => {})];
	const { add, emitDue, emitted, pass } = anEmission(() => runs.shift());
	add();
	await pass(30 * SECOND + 10);
	await pass(5 * MINUTE);
	emitDue();
	expect(emitted.map(({ items }) => items[0].isUnfinished)).toEqual([false, true, false]);
});

test('no run has more than 50, and those that n8n lost are all emitted again', async () => {
	const { add, emitDue, ids: idsOf, pass } = anEmission(lostRun);
	add([...responsesOf(120)].reverse());
	await pass(10);
	const all = ids(...Array.from({ length: 120 }, (_, n) => n + 1));
	const runs = [all.slice(0, 50), all.slice(50, 100), all.slice(100)];
	expect(idsOf()).toEqual(runs);
	await pass(5 * MINUTE);
	emitDue();
	expect(idsOf()).toEqual([...runs, ...runs]);
});

test('a delivery that came meanwhile is not emitted, and the hook is told how many did not', async () => {
	const { addOfHook, memory, ids: idsOf, isPending, late, pass } = anEmission();
	addOfHook();
	await pass(16 * SECOND);
	expect(idsOf()).toEqual([]);
	addKnown(memory, [keys[1]]);
	await pass(0.5 * SECOND + 10);
	expect(idsOf()).toEqual([ids(1, 3)]);
	expect([keys.some(isPending), late]).toEqual([false, [2]]);
});

test('what a run could not ask for comes again after 5 seconds, and what another began after 30', async () => {
	const told = { begunElsewhere: '0', toEmitAgain: '2' };
	const runs = [aRun(1, {}, told), aRun(1), aRun(1)];
	const { add, emitted, ids: idsOf, known, pass } = anEmission(() => runs.shift());
	add(missed, true);
	await pass(6 * SECOND);
	expect([idsOf(), known()]).toEqual([[ids(1, 2, 3), ids(3)], 2]);
	await pass(23 * SECOND);
	expect(emitted).toHaveLength(2);
	await pass(2 * SECOND);
	expect([idsOf().slice(2), known()]).toEqual([[ids(1)], 3]);
	const repeated = { isUnfinished: true, isOldestShown: true, tries: 0 };
	expect(emitted[2].items).toMatchObject([repeated]);
	await pass(10 * MINUTE);
	expect(emitted).toHaveLength(3);
});

test('what a run tells is believed also after it was emitted again, but plans nothing twice', async () => {
	const late: Array<(run: IRun) => void> = [];
	const onEmit = async () => await new Promise<IRun>((resolve) => late.push(resolve));
	const { add, emitDue, emitted, known, isPending, pass } = anEmission(onEmit);
	add();
	await pass(5 * MINUTE + 10);
	emitDue();
	expect(emitted.map(({ items }) => items[0].tries)).toEqual([0, 0]);
	late[0](aRun(1, {}, { begunElsewhere: '1', toEmitAgain: '2' }));
	await pass(MINUTE);
	expect([emitted.length, known(), keys.map(isPending)]).toEqual([2, 1, [false, true, true]]);
});

test('a trigger that n8n closed or replaced emits nothing', async () => {
	let isActive = true;
	const { add, emitDue, emitted, pass } = anEmission(() => undefined, { isActive: () => isActive });
	add();
	await pass(10);
	isActive = false;
	await pass(MINUTE);
	emitDue();
	expect(emitted).toHaveLength(1);
});

test.each([
	['is silent where all were output, as where the workflow has a time limit', keys, 0],
	['tells where not all were', keys.slice(1), 1],
])('the log %s', async (_, output, warnings) => {
	const logs = keepLogs(trigger);
	const emission = anEmission(async () => {
		addKnown(emission.memory, output);
		return await Promise.reject(new Error('timed out'));
	});
	emission.add();
	await emission.pass(SECOND);
	expect([logs.length, emission.emitted.length]).toEqual([warnings, 1]);
	for (const { message } of logs) expect(message).toMatch(/^A run with 3 .*: timed out/);
	await emission.pass(MINUTE);
	expect(keys.filter(emission.isPending)).toEqual(keys.slice(0, warnings));
});

test('an engine that does not wait is not waited for, and asked once more', async () => {
	const refusal = new Error('Engine 2.0 does not support donePromise');
	const { add, emitted, known, pass } = anEmission(
		async ({ isAwaited }) => await (isAwaited ? Promise.reject(refusal) : undefined),
	);
	add();
	await pass(MINUTE);
	expect(emitted.map(({ isAwaited }) => isAwaited)).toEqual([true, false, true, false]);
	const areUnfinished = emitted.map(({ items }) => items[0].isUnfinished);
	expect(areUnfinished).toEqual([false, false, true, true]);
	expect(known()).toBe(3);
});
