import type { Kind, Verdict } from '../../../../../nodes/FormResponses/trigger/run/ledger';
import {
	endsOf,
	questionsOf,
	verdictOf,
} from '../../../../../nodes/FormResponses/trigger/run/ledger';

const [BEGUN, ENDED, ENDED_2, ENDED_3] = ['a', 'a ended', 'a ended 2', 'a ended 3'];

const isAlone = true;
const isShared = false;

test('the marks are those of version 0.1.0, so that nothing runs again after an update', () => {
	expect(questionsOf({ key: 'a', kind: 'delivered' }, isAlone)).toEqual([[BEGUN]]);
	expect(endsOf('a')).toEqual([ENDED, ENDED_2, ENDED_3]);
});

test.each<[Kind, boolean, string[][]]>([
	['delivered', isShared, [[BEGUN]]],
	['wanted', isShared, [[BEGUN]]],
	['missed', isShared, [[BEGUN]]],
	['missed', isAlone, [[BEGUN, ENDED], [ENDED_2], [ENDED_3]]],
	['unfinished', isShared, [[BEGUN, ENDED], [ENDED_2], [ENDED_3]]],
])('what is %s (alone: %s) asks for %j', (kind, alone, expected) => {
	expect(questionsOf({ key: 'a', kind }, alone)).toEqual(expected);
});

const NO_ANSWER = undefined;

test.each<[Kind, boolean, string[] | undefined, number, Verdict]>([
	['delivered', isShared, [BEGUN], 0, 'pass'],
	['delivered', isShared, [], 0, 'done'],
	['delivered', isShared, NO_ANSWER, 0, 'pass'],
	['wanted', isShared, [], 0, 'pass'],
	['missed', isShared, [BEGUN], 0, 'pass'],
	['missed', isShared, [], 0, 'told'],
	['missed', isShared, NO_ANSWER, 2, 'again'],
	['missed', isShared, NO_ANSWER, 3, 'pass'],
	['missed', isAlone, [BEGUN], 0, 'pass'],
	['missed', isAlone, [ENDED], 0, 'pass'],
	['missed', isAlone, [], 0, 'done'],
	['unfinished', isShared, [ENDED], 0, 'pass'],
	['unfinished', isShared, [ENDED_2], 0, 'pass'],
	['unfinished', isShared, [ENDED_3], 0, 'pass'],
	['unfinished', isShared, [], 0, 'done'],
	['unfinished', isShared, NO_ANSWER, 3, 'pass'],
])('what is %s (alone: %s), where %j was missing, after %i tries: %s', (...row) => {
	const [kind, alone, missing, tries, expected] = row;
	const answer = missing && new Set(missing);
	expect(verdictOf({ key: 'a', kind, tries }, answer, alone)).toBe(expected);
});
