import type { IRun } from 'n8n-workflow';
import type { Verdict } from '../../../../../../nodes/FormResponses/trigger/runInput';
import {
	emittedOf,
	nextOf,
	pendingOf,
	verdictsIn,
	waitsOf,
	wasLate,
	type Pending,
} from '../../../../../../nodes/FormResponses/trigger/recover/pendingResponses';
import { responseKey } from '../../../../../../nodes/FormResponses/transport/responseKey';
import { emptyMemory } from '../../../../../../nodes/FormResponses/trigger/state/memory';
import { aRun } from '../../../../kit/trigger';
import { aResponse } from '../../../../kit/samples';

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
	mayBeOver: true,
	isOut: false,
	isGuess: false,
	...more,
});

const first = { now: NOW, isPolling: false, isFirst: true, isOldestShown: false };

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

test.each<[string, Partial<typeof first>, boolean, boolean]>([
	['a later look found', { isFirst: false }, false, true],
	['a later look found, and a hook has brought', { isFirst: false }, true, false],
	['the first look found', {}, false, false],
	['was polled', { isPolling: true, isFirst: false }, false, false],
])('whether a hook should have delivered what %s', (_, look, isTaken, expected) => {
	const memory = emptyMemory();
	const one = old(90);
	if (isTaken) memory.taken.set(responseKey(one), { at: 0, byLive: true });
	const [pending] = pendingOf([one], { ...first, ...look }, memory, NOW);
	expect(pending.isLate).toBe(expected);
});

test('what was completed before the start of which nothing was stored is a guess', () => {
	const guessUntil = new Date(NOW).toISOString();
	const found = [1, 0, -1].map(old);
	const guesses = (look: object) =>
		pendingOf(found, { ...first, ...look }, emptyMemory(), NOW).map(({ isGuess }) => isGuess);
	expect(guesses({ guessUntil })).toEqual([true, false, false]);
	expect(guesses({})).toEqual([false, false, false]);
});

const silent = (status: string, data: unknown = {}) => ({ status, data }) as IRun;
/** Another node of the workflow has n8n keep something of the run. */
const foreign = silent('success', { resultData: { metadata: { customer: '7' } } });

test.each<[string, IRun | undefined, Verdict, Verdict, Verdict]>([
	['n8n refused', undefined, 'again', 'again', 'again'],
	['failed', silent('error'), 'again', 'again', 'again'],
	['was stopped', silent('canceled'), 'again', 'again', 'again'],
	['n8n did not survive', silent('crashed'), 'again', 'again', 'again'],
	['ended and does not tell', silent('success'), 'told', 'done', 'free'],
	['waits and does not tell', silent('waiting'), 'told', 'done', 'free'],
	['only tells what is not ours', foreign, 'told', 'done', 'free'],
	['keeps nothing', silent('success', { resultData: {} }), 'told', 'done', 'free'],
	['has no data', { status: 'success' } as IRun, 'told', 'done', 'free'],
	['output it', aRun('p'), 'pass', 'pass', 'pass'],
	['output it and failed later', aRun('p', { status: 'error' }), 'pass', 'pass', 'pass'],
	['tells something unknown', aRun('x'), 'again', 'again', 'again'],
])('a run that %s, of what was missed, unfinished, or asked about', (_, run, ...expected) => {
	const [one, other] = [aPending(), aPending({ isUnfinished: true })];
	const verdicts = [[one], [other]].map((emitted) => verdictsIn(run, emitted, false));
	expect([...verdicts, verdictsIn(run, [other], true)].flat()).toEqual(expected);
});

test('an answer tells of each by its letter, and what it leaves out comes again', () => {
	const emitted = Array.from({ length: 6 }, () => aPending());
	const expected = ['free', 'done', 'told', 'again', 'done', 'again'];
	expect(verdictsIn(aRun('fdtad'), emitted, true)).toEqual(expected);
});

test.each<[Verdict, Partial<Pending>, Partial<Pending> | undefined]>([
	['pass', {}, undefined],
	['done', {}, undefined],
	['free', { tries: 2, dueAt: 1 }, { tries: 2, dueAt: NOW, mayBeOver: false }],
	['told', {}, { isUnfinished: true, tries: 0, dueAt: NOW + 30 * SECOND }],
	['told', { tries: 2 }, { isUnfinished: true, tries: 2, dueAt: NOW + 30 * SECOND }],
	['again', {}, { isUnfinished: false, tries: 1, dueAt: NOW + 5 * SECOND }],
	['again', { tries: 2 }, { isUnfinished: false, tries: 3, dueAt: NOW + 20 * SECOND }],
	['again', { isUnfinished: true }, { isUnfinished: true, tries: 1, dueAt: NOW + 5 * SECOND }],
	['again', { tries: 40 }, { tries: 41, dueAt: NOW + 3_600 * SECOND }],
])('after %s, of %j comes %j', (verdict, before, after) => {
	const next = nextOf(aPending({ mayBeOver: false, ...before }), verdict, NOW);
	expect(next).toEqual(after && aPending({ ...before, ...after }));
});

const MINUTES_5 = { mayBeOver: true, dueAt: NOW + 300 * SECOND };

test.each<[string, boolean, Partial<Pending>, Partial<Pending>]>([
	['a run may wait in a queue', false, {}, { ...MINUTES_5, isUnfinished: false, isOut: true }],
	['a question holds nothing', true, {}, { mayBeOver: false, dueAt: NOW + 10 * SECOND }],
	['a question about a run that may wait', true, { isOut: true }, MINUTES_5],
	['a question that decides for all', true, { isGuess: true }, MINUTES_5],
])('without news, %s', (_, isQuestion, before, after) => {
	const one = aPending({ isUnfinished: true, ...before });
	expect(emittedOf(one, isQuestion, NOW)).toEqual({ ...one, ...after });
});

test('what failed within five seconds comes again at the same time', () => {
	const dueAt = (at: number) => nextOf(aPending(), 'again', NOW + at)?.dueAt;
	expect([dueAt(1), dueAt(4_999)]).toEqual([NOW + 10 * SECOND, NOW + 10 * SECOND]);
});

test.each<[string, IRun | undefined, Verdict, boolean, boolean | undefined]>([
	['that a run output: it failed to', aRun('p'), 'pass', true, true],
	['that another had output: it did not', aRun('d'), 'done', true, false],
	['that another has begun: unknown', aRun('t'), 'told', true, undefined],
	['that nobody has yet: unknown', aRun('f'), 'free', true, undefined],
	['of which the run does not tell: unknown', silent('success'), 'done', true, undefined],
	['that was not due to be delivered: unknown', aRun('p'), 'pass', false, undefined],
])('whether a hook failed to deliver a response %s', (_, run, verdict, isLate, expected) => {
	expect(wasLate(run, aPending({ isLate }), verdict)).toBe(expected);
});
