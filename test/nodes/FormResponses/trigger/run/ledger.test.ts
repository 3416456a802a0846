import {
	endsOf,
	questionOf,
	verdictOf,
	type Kind,
	type Verdict,
} from '../../../../../nodes/FormResponses/trigger/run/ledger';

const [BEGUN, ENDED, ENDED_2, ENDED_3] = ['a', 'a ended', 'a ended 2', 'a ended 3'];

const isAlone = true;
const isShared = false;

test('the marks are those of version 0.1.0, so that nothing runs again after an update', () => {
	expect(questionOf({ key: 'a', kind: 'delivered' }, isAlone)).toEqual([BEGUN]);
	expect(endsOf('a')).toEqual([ENDED, ENDED_2, ENDED_3]);
});

const ALL = [BEGUN, ENDED, ENDED_2, ENDED_3];

test.each<[Kind, boolean, string[]]>([
	['delivered', isAlone, [BEGUN]],
	['wanted', isAlone, [BEGUN]],
	['missed', isShared, [BEGUN]],
	['missed', isAlone, ALL],
	['unfinished', isShared, ALL],
])('what is %s (alone: %s) asks for %j', (kind, alone, expected) => {
	expect(questionOf({ key: 'a', kind }, alone)).toEqual(expected);
});

const NO_ANSWER: boolean[] = [];
const [IS_THERE, IS_MISSING] = [[true], [false]];
const CUT_OFF = [true, true, false];
const CUT_SHORT = [true, true, true];
const HAS_ENDED = [true, true, true, true];

test.each<[Kind, boolean, boolean[], number, Verdict]>([
	['delivered', isShared, IS_MISSING, 0, 'pass'],
	['delivered', isShared, IS_THERE, 0, 'done'],
	['delivered', isShared, NO_ANSWER, 0, 'pass'],
	['wanted', isShared, IS_THERE, 0, 'pass'],
	['missed', isShared, IS_MISSING, 0, 'pass'],
	['missed', isShared, IS_THERE, 0, 'told'],
	['missed', isShared, NO_ANSWER, 2, 'again'],
	['missed', isShared, NO_ANSWER, 3, 'pass'],
	['missed', isAlone, IS_MISSING, 0, 'pass'],
	['missed', isAlone, CUT_OFF, 0, 'pass'],
	['missed', isAlone, CUT_SHORT, 3, 'told'],
	['missed', isAlone, HAS_ENDED, 0, 'done'],
	['unfinished', isShared, IS_MISSING, 0, 'pass'],
	['unfinished', isShared, CUT_OFF, 0, 'pass'],
	['unfinished', isShared, IS_THERE, 3, 'told'],
	['unfinished', isShared, CUT_SHORT, 3, 'told'],
	['unfinished', isShared, HAS_ENDED, 0, 'done'],
	['unfinished', isShared, NO_ANSWER, 2, 'again'],
	['unfinished', isShared, NO_ANSWER, 3, 'pass'],
])('what is %s (alone: %s), of whose marks are there %j, after %i tries: %s', (...row) => {
	const [kind, alone, answers, tries, expected] = row;
	expect(verdictOf({ key: 'a', kind, tries }, answers, alone)).toBe(expected);
});
