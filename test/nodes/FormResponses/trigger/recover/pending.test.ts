import type { IRun } from 'n8n-workflow';
import {
	fatesOf,
	lateIn,
	nextOf,
	waitsOf,
	type Fate,
	type Pending,
} from '../../../../../nodes/FormResponses/trigger/recover/pending';
import { aRun } from '../../../../in-process/trigger';
import { aResponse } from '../../../../samples';

const SECOND = 1_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');

const old = (seconds: number) =>
	aResponse({ completedAt: new Date(NOW - seconds * SECOND).toISOString() });

const aPending = (more: Partial<Pending> = {}): Pending => ({
	envelope: aResponse(),
	dueAt: NOW,
	isUnfinished: false,
	tries: 0,
	isOldestShown: false,
	isLate: true,
	...more,
});

const first = { now: NOW, isPolling: false, isFirst: true };

test.each<[string, Partial<typeof first>, number[], number[]]>([
	['with an API key, at once', { isPolling: true, isFirst: false }, [90, 1], [0, 0]],
	['15.5 after a later look has seen it, however old it is', { isFirst: false }, [90], [15.5]],
	['half a second more for each', { isFirst: false }, Array(25).fill(1), Array(25).fill(27.5)],
	['after a start, at once if it is older than that', {}, [90, 16], [0, 0]],
	['after a start, when the youngest is as old', {}, [90, 14, 6], [0, 10.5, 10.5]],
	['after a start, never later than that, whatever the clock', {}, [90, -60], [0, 16]],
])('what a look found is emitted after so many seconds: %s', (_, look, ages, expected) => {
	const waits = waitsOf(ages.map(old), { ...first, ...look });
	expect(waits.map((ms) => ms / SECOND)).toEqual(expected);
});

const silent = (status: string, data: unknown = {}) => ({ status, data }) as IRun;
/** Another node of the workflow has n8n keep something of the run. */
const foreign = silent('success', { resultData: { metadata: { customer: '7' } } });

describe('what became of what was emitted', () => {
	test.each<[string, IRun | undefined, Fate, Fate]>([
		['n8n refused', undefined, 'again', 'again'],
		['failed', silent('error'), 'again', 'again'],
		['was stopped', silent('canceled'), 'again', 'again'],
		['n8n did not survive', silent('crashed'), 'again', 'again'],
		['ended and does not tell', silent('success'), 'told', 'over'],
		['waits and does not tell', silent('waiting'), 'told', 'over'],
		['only tells what is not ours', foreign, 'told', 'over'],
		['has no data', { status: 'success' } as IRun, 'told', 'over'],
		['output it', aRun(1), 'over', 'over'],
		['output it and failed later', aRun(1, { status: 'error' }), 'over', 'over'],
	])('a run that %s', (_, run, missed, unfinished) => {
		const [one, other] = [aPending(), aPending({ isUnfinished: true })];
		expect(fatesOf(run, [one, other])).toEqual([missed, unfinished]);
	});

	test('a run tells by position what others began, and what to emit again', () => {
		const emitted = Array.from({ length: 12 }, () => aPending());
		const run = aRun(8, {}, { begunElsewhere: '1 10', toEmitAgain: '2 11' });
		const left = 'over over over over over over over';
		expect(fatesOf(run, emitted).join(' ')).toBe(`over told again ${left} told again`);
	});

	test('what n8n did not give to a run comes again', () => {
		const run = aRun(0, {}, { arrivedResponses: '1', toEmitAgain: '0' });
		expect(fatesOf(run, [aPending(), aPending()])).toEqual(['again', 'left']);
	});
});

test.each<[Fate, Partial<Pending>, Partial<Pending> | undefined]>([
	['over', {}, undefined],
	['left', { tries: 2, dueAt: 1 }, { tries: 2, dueAt: NOW }],
	['told', {}, { isUnfinished: true, tries: 0, dueAt: NOW + 30 * SECOND }],
	['told', { tries: 2 }, { isUnfinished: true, tries: 2, dueAt: NOW + 30 * SECOND }],
	['again', {}, { isUnfinished: false, tries: 1, dueAt: NOW + 5 * SECOND }],
	['again', { tries: 2 }, { isUnfinished: false, tries: 3, dueAt: NOW + 20 * SECOND }],
	['again', { isUnfinished: true }, { isUnfinished: true, tries: 1, dueAt: NOW + 5 * SECOND }],
	['again', { tries: 40 }, { tries: 41, dueAt: NOW + 300 * SECOND }],
])('after %s, of %j comes %j', (fate, before, after) => {
	const next = nextOf(aPending(before), fate, NOW);
	expect(next).toEqual(after && aPending({ ...before, ...after }));
});

test.each<[string, IRun | undefined, boolean[], number | undefined]>([
	['as many as were output', aRun(2), [true, true], 2],
	['an unknown number where the run does not tell', silent('success'), [true], undefined],
	['an unknown number where some were not due to be delivered', aRun(2), [true, false], undefined],
])('a hook failed to deliver %s', (_, run, late, expected) => {
	const emitted = late.map((isLate) => aPending({ isLate }));
	expect(lateIn(run, emitted)).toBe(expected);
});
