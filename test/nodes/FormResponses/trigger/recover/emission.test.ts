import type { IRun } from 'n8n-workflow';
import { responseKey } from '../../../../../nodes/FormResponses/responseKey';
import type * as Emission from '../../../../../nodes/FormResponses/trigger/recover/emission';
import { createEmission } from '../../../../../nodes/FormResponses/trigger/recover/emission';
import { isKnown } from '../../../../../nodes/FormResponses/trigger/known';
import type { Clock } from '../../../../clock';
import { startClock } from '../../../../clock';
import { keepLogs } from '../../../../in-process/logs';
import { inNewProcess } from '../../../../in-process/process';
import type { OnEmit } from '../../../../in-process/trigger';
import { aRun, aTriggerContext } from '../../../../in-process/trigger';
import { responsesOf } from '../../../../samples';
import { aWorkflow, recovered, trigger } from '../trigger.fixture';

const missed = [...responsesOf(3)].reverse();
const keys = missed.map(responseKey);

let clock: Clock;

beforeEach(() => {
	clock = startClock({ standing: true });
});

function anEmission(onEmit?: OnEmit, stored = aWorkflow()) {
	const { context, emitted } = aTriggerContext(stored, { onEmit });
	const emission = createEmission(context);
	const emit = async (isOldestShown = false) =>
		await emission.emit(missed, { isOldestShown, generation: 1 });
	const known = () => keys.filter((key) => isKnown(context, key)).length;
	return { ...emission, emit, known, emitted };
}

test.each([false, true])(
	'one run with all, told where the oldest is shown: %s',
	async (isOldest) => {
		const { emit, emitted } = anEmission();
		await emit(isOldest);
		expect(emitted.map(({ items }) => items)).toEqual([
			recovered(missed, { isOldestShown: isOldest }),
		]);
	},
);

test('what one trigger of the node has under way, another one that started meanwhile leaves alone', async () => {
	const stored = aWorkflow();
	const ends: Array<(run: IRun) => void> = [];
	const first = anEmission(async () => await new Promise((resolve) => ends.push(resolve)), stored);
	const second = anEmission(undefined, stored);
	const emitting = first.emit();
	expect(keys.every(second.isRunning)).toBe(true);
	await clock.pass(10);
	ends.forEach((end) => end(aRun(3)));
	await emitting;
	expect(keys.some(second.isRunning)).toBe(false);
});

const noData = { status: 'success', data: {} } as unknown as Partial<IRun>;

test.each<[string, OnEmit, number | undefined, number]>([
	['put out all', () => aRun(3), 3, 3],
	['put out none, as another process had received them', () => aRun(0), 0, 3],
	['failed later in the workflow', () => aRun(3, { status: 'error' }), 3, 3],
	['does not tell what it put out', () => aRun(0, noData), undefined, 3],
	['failed in the trigger', () => aRun(0, { ...noData, status: 'error' }), undefined, 0],
	['a person stopped', () => aRun(0, { ...noData, status: 'canceled' }), undefined, 0],
	['n8n did not survive', () => aRun(3, { status: 'crashed' }), undefined, 0],
	['was stopped before it put out any', () => aRun(0, { status: 'canceled' }), undefined, 0],
	['n8n refused', () => undefined, undefined, 0],
	['n8n could not store', async () => await Promise.reject(new Error('full')), undefined, 0],
])('a run that %s', async (_, onEmit, count, known) => {
	keepLogs(trigger);
	const emission = anEmission(onEmit);
	expect(await emission.emit()).toBe(count);
	expect(emission.known()).toBe(known);
	expect(keys.some((key) => emission.isRunning(key))).toBe(false);
});

describe('what a run leaves to another one', () => {
	/** The first run leaves two of three, the second one of those. */
	const leaving = (last: OnEmit): OnEmit => {
		const ends = [() => aRun(1, {}, '0 2'), () => aRun(1, {}, '1'), last];
		return (emitted) => ends.shift()!(emitted);
	};

	test('is emitted at once, and counts', async () => {
		const { emit, emitted, known } = anEmission(leaving(() => aRun(0)));
		expect(await emit(true)).toBe(2);
		expect(known()).toBe(3);
		expect(emitted.map(({ items }) => items)).toEqual([
			recovered(missed, { isOldestShown: true }),
			recovered([missed[0], missed[2]], { isOldestShown: true }),
			recovered([missed[2]]),
		]);
		expect(new Set(emitted.map(({ deduplicationKey }) => deduplicationKey)).size).toBe(3);
	});

	test.each<[string, boolean, number | undefined]>([
		['still tells that some were missed', false, 2],
		['tells nothing where they may have been on their way', true, undefined],
	])(
		'is looked for again where that run does not end well, which %s',
		async (_, isOldest, count) => {
			const emission = anEmission(leaving(() => aRun(0, { status: 'crashed' })));
			expect(await emission.emit(isOldest)).toBe(count);
			expect(emission.known()).toBe(2);
			expect(keys.some((key) => emission.isRunning(key))).toBe(false);
		},
	);

	test('is not emitted by a trigger that n8n closed meanwhile', async () => {
		const { context, emitted } = aTriggerContext(aWorkflow(), { onEmit: () => aRun(1, {}, '0 2') });
		const emission = createEmission(context, () => emitted.length === 0);
		expect(await emission.emit(missed, { isOldestShown: false, generation: 1 })).toBeUndefined();
		expect(emitted).toHaveLength(1);
		expect(keys.filter((key) => isKnown(context, key))).toEqual([keys[1]]);
	});
});

test('a run of which n8n never tells the end is believed in for half an hour', async () => {
	const { emit, isRunning } = anEmission(async () => await new Promise(() => {}));
	void emit();
	await clock.pass(29 * 60_000);
	expect(isRunning(keys[0])).toBe(true);
	await clock.pass(60_001);
	expect(isRunning(keys[0])).toBe(false);
});

describe('n8n’s own deduplication key', () => {
	test('is the same in two processes that run the same subscription', async () => {
		const stored = aWorkflow();
		const path = '../../../../../nodes/FormResponses/trigger/recover/emission';
		const other = inNewProcess(() => jest.requireActual<typeof Emission>(path));
		const { context, emitted } = aTriggerContext(stored);
		await createEmission(context).emit(missed, { isOldestShown: false, generation: 1 });
		await other.createEmission(context).emit(missed, { isOldestShown: false, generation: 1 });
		expect(emitted[0].deduplicationKey).toMatch(/^[0-9a-f]{64}$/);
		expect(emitted[1].deduplicationKey).toBe(emitted[0].deduplicationKey);
	});

	test('is another one for another node', async () => {
		const [one, other] = [anEmission(), anEmission()];
		await one.emit();
		await other.emit();
		expect(one.emitted[0].deduplicationKey).not.toBe(other.emitted[0].deduplicationKey);
	});

	test('is another one for what has not run after half an hour, because n8n deletes a waiting execution with the same one', async () => {
		const { emit, emitted } = anEmission(async () => await new Promise(() => {}));
		void emit();
		await clock.pass(31 * 60_000);
		void emit();
		await clock.pass(10);
		const [first, second] = emitted.map(({ deduplicationKey }) => deduplicationKey);
		expect(second).toMatch(/^[0-9a-f]{64}$/);
		expect(second).not.toBe(first);
	});

	test('is another one for a run that is tried again, and for the next subscription', async () => {
		keepLogs(trigger);
		const { context, emitted } = aTriggerContext(aWorkflow(), { onEmit: () => undefined });
		const { emit } = createEmission(context);
		for (const generation of [1, 1, 2]) await emit(missed, { isOldestShown: false, generation });
		expect(new Set(emitted.map(({ deduplicationKey }) => deduplicationKey)).size).toBe(3);
	});
});
