import fc from 'fast-check';
import {
	isSuperfluous,
	judge,
	type Delivery,
	type Misfit,
	type Verdict,
} from '../../../../../../nodes/FormResponses/trigger/receive/statusTable';

/** A delivery with a key that is not the live one. */
const OTHER: Delivery = {
	...{ isPolling: false, isTest: false, isOwnForm: true, isLive: false },
	...{ isAgain: false, isTaken: false, skipsDuplicates: true, isSuperfluous: false },
	isCurrent: true,
};
const LIVE: Delivery = { ...OTHER, isLive: true };
/** Whatever else is known. */
const ANYTHING = { isTaken: true, isAgain: true, isSuperfluous: true, isCurrent: false };

const statusOf = (verdict: Verdict) => (typeof verdict === 'string' ? verdict : verdict[0]);

test.each<[string, Delivery | Misfit, number | 'run' | 'ask']>([
	['no completed response', 'other', 200],
	['one that cannot be read', 'unreadable', 400],
	['the node polls', { ...LIVE, ...ANYTHING, isPolling: true }, 410],
	["a test's own key", { ...LIVE, ...ANYTHING, isTest: true, isOwnForm: false }, 'run'],
	['any other key at a test', { ...OTHER, isTest: true, isTaken: true }, 410],
	['another form with the live key', { ...LIVE, ...ANYTHING, isOwnForm: false }, 403],
	['another form with any other key', { ...OTHER, isOwnForm: false }, 410],
	['the live key, again', { ...LIVE, isAgain: true }, 200],
	['the same, where duplicates run', { ...LIVE, isAgain: true, skipsDuplicates: false }, 'run'],
	['the live key, again, but not lately', { ...LIVE, isTaken: true }, 'run'],
	['the live key, however old the response is', { ...LIVE, isCurrent: false }, 'run'],
	['a hook that is superfluous', { ...OTHER, isSuperfluous: true, isTaken: true }, 410],
	['any other key, for what was taken', { ...OTHER, isTaken: true, isAgain: true }, 200],
	['the same, where duplicates run', { ...OTHER, isTaken: true, skipsDuplicates: false }, 200],
	['any other key, for what is too old', { ...OTHER, isCurrent: false }, 200],
	['any other key', OTHER, 'ask'],
])('%s', (_, facts, expected) => {
	expect(statusOf(judge(facts))).toBe(expected);
});

test('whatever the facts: one verdict; 410 and a run take proof; nothing else asks', () => {
	const flags = fc.record(
		Object.fromEntries(Object.keys(OTHER).map((name) => [name, fc.boolean()])),
	) as unknown as fc.Arbitrary<Delivery>;
	fc.assert(
		fc.property(flags, (facts) => {
			const status = statusOf(judge(facts));
			const { isPolling, isTest, isLive, isOwnForm } = facts;
			const isGone = isPolling || (!isLive && (isTest || !isOwnForm || facts.isSuperfluous));
			expect([200, 403, 410, 'run', 'ask']).toContain(status);
			expect(status === 410).toBe(isGone);
			if (status === 'run') expect([isLive, isTest || isOwnForm]).toEqual([true, true]);
			if (status === 'ask')
				expect([isLive, facts.isTaken, facts.isCurrent]).toEqual([false, false, true]);
		}),
		{ numRuns: 3_000 },
	);
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MADE = Date.parse('2026-03-01T12:00:00Z');
const NOW = 10 * DAY;

const live = { keyMadeAt: MADE, keyHash: 'hash', hookMadeAt: '2026-03-01T12:00:01Z' };

/**
 * In milliseconds: when the key was made, after the live one; for how long it is known; when the response was completed.
 * Then whether the hook is superfluous if the live one brought the same to this process, and if it did not.
 */
test.each<[string, number, number | undefined, number, boolean, boolean]>([
	['a younger key that is known for 15 minutes', 1, 15 * MINUTE, 0, true, false],
	['a younger key that is known for less', 1, 15 * MINUTE - 1, 5 * DAY, false, false],
	['a younger key that is not known', 9, undefined, 5 * DAY, false, false],
	['a twin, by what was completed earlier', -2 * MINUTE, undefined, 999, true, false],
	['a twin, by what was completed since', -2 * MINUTE, undefined, 1_000, true, true],
	['a made-up key of the same time', 0, undefined, 1_000, false, false],
	['an older key', -2 * MINUTE - 1, 20 * MINUTE, 1_000, false, false],
	['an older key, after four days', -DAY, undefined, 4 * DAY + 1_000, true, false],
	['an older key, a moment earlier', -DAY, undefined, 4 * DAY + 999, false, false],
])('whether a hook is superfluous: %s', (_, madeAt, knownMs, completedAt, ...expected) => {
	const since = NOW - (knownMs ?? 0);
	const other = {
		madeAt: MADE + madeAt,
		known: knownMs === undefined ? undefined : { madeAt: MADE + madeAt, since, vain: [] },
		completedAt: MADE + completedAt,
	};
	const verdicts = [true, false].map((byLive) => isSuperfluous({ ...other, byLive }, live, NOW));
	expect(verdicts).toEqual(expected);
});

test.each([
	['for its age', -DAY, true],
	['for what was completed since', -1, false],
])('of a live hook without a time, no older one is superfluous %s', (_, madeAt, byLive) => {
	const other = { madeAt: MADE + madeAt, completedAt: MADE + 9 * DAY, byLive };
	expect(isSuperfluous(other, { ...live, hookMadeAt: undefined }, NOW)).toBe(false);
});
