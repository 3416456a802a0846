import type { Verdict } from '../../../../../../nodes/FormResponses/trigger/runInput';
import {
	marksOf,
	verdictOf,
	wasQueued,
	type Kind,
} from '../../../../../../nodes/FormResponses/trigger/run/duplicateRules';

const ALL = ['a', 'a ended', 'a ended 2', 'a ended 3'];

const one = (kind: Kind, more = {}) => ({ key: 'a', kind, ...more });

test.each<[Kind, string[], string[]]>([
	['delivered', ['a'], ['a']],
	['missed', ['a'], ALL],
	['unfinished', ALL, ALL],
	['wanted', ['a'], ['a']],
])('a run of what is %s asks for %j, beside the trigger for %j', (kind, marks, besideTrigger) => {
	expect(marksOf(one(kind), false)).toEqual(marks);
	expect(marksOf(one(kind), true)).toEqual(besideTrigger);
});

/** What was delivered, missed, missed beside the trigger, unfinished, and wanted. */
type Verdicts = [Verdict, Verdict, Verdict, Verdict, Verdict];

test.each<[string, boolean[], Verdicts]>([
	['is not begun', [false], ['pass', 'pass', 'pass', 'pass', 'pass']],
	['is begun', [true], ['done', 'told', 'told', 'told', 'pass']],
	['did not end', [true, false], ['done', 'told', 'pass', 'pass', 'pass']],
	['was cut off twice', [true, true, false], ['done', 'told', 'pass', 'pass', 'pass']],
	['is asked about in part', [true, true, true], ['done', 'told', 'told', 'told', 'pass']],
	['ended', [true, true, true, true], ['done', 'done', 'done', 'done', 'pass']],
	['is unknown, as the store fails', [], ['pass', 'again', 'again', 'again', 'pass']],
])('where the run of a response %s (%j): %j', (_, answers, expected) => {
	const verdictOn = (kind: Kind, isBesideTrigger = false) =>
		verdictOf(one(kind), answers, isBesideTrigger);
	expect([
		verdictOn('delivered'),
		verdictOn('missed'),
		verdictOn('missed', true),
		verdictOn('unfinished'),
		verdictOn('wanted'),
	]).toEqual(expected);
});

test.each<[Kind, number, boolean[], Verdict]>([
	['missed', 2, [], 'again'],
	['missed', 3, [], 'pass'],
	['missed', 3, [true], 'told'],
	['unfinished', 2, [], 'again'],
	['unfinished', 3, [], 'pass'],
	['unfinished', 3, [true], 'told'],
])('what is %s after %i emissions in vain, by a store that answers %j: %s', (...row) => {
	const [kind, tries, answers, expected] = row;
	expect(verdictOf(one(kind, { tries }), answers, false)).toBe(expected);
});

test.each([
	['missed', 5_000, false],
	['missed', 5_001, true],
	['delivered', 5_001, true],
	['wanted', 5_001, false],
	['missed', undefined, false],
] as const)('what is %s and came %s ms ago was queued: %s', (kind, ms, expected) => {
	const now = 60_000;
	const emittedAt = ms && now - ms;
	expect(wasQueued(one(kind, { emittedAt }), now)).toBe(expected);
});
