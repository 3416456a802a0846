import { meets } from '../../../../../nodes/FormResponses/trigger/onlyIfCondition';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import { anAnswer, aResponse } from '../../../kit/samples';

const rated = (...ratings: string[]): ResponseEnvelope['data']['answers'] =>
	ratings.map((value) => anAnswer({ fieldId: 'f-1', label: 'Rating', value }));

const NONE: string[] = [];

/** Answers to the question that meet the condition, and those that do not. */
test.each<[operation: string, value: string, meeting: string[][], others: string[][]]>([
	['equals', ' poor', [['Poor'], ['Poor '], ['Good', 'Poor']], [['Very poor'], NONE]],
	['equals', '0', [['0']], [['']]],
	['equals', '5', [['05.0']], [['6']]],
	['equals', '12345678901234567890', [['12345678901234567890']], [['12345678901234567891']]],
	['notEquals', 'Poor', [['Good'], NONE], [['Good', 'Poor']]],
	['notEquals', '5', [['6']], [['5.0']]],
	['contains', 'app', [['Website, App']], [['Website']]],
	['notContains', 'app', [['Website'], NONE], [['Website, App'], ['x', 'App']]],
	['exists', '', [['x']], [[' '], NONE]],
	['isEmpty', '', [[''], NONE], [['x']]],
	['greater', '9', [['10']], [['n/a']]],
	['greater', '10', [['11']], [['10'], ['']]],
	['less', '10', [['9'], ['-1e3']], [[''], ['n/a'], NONE]],
	['greater', 'a', [['b']], [['a']]],
	['less', 'b', [['a']], [[''], ['b'], ['c']]],
	['greater', '2026-01-31', [['2026-02-01']], [['2026-01-30']]],
	['less', '2026-01-31', [['2026-01-30']], [['2026-02-01']]],
])('%s "%s": %j, not %j', (operation, value, meeting, others) => {
	const isMet = (answers: string[]) =>
		meets(aResponse({ answers: rated(...answers) }), { label: 'Rating', operation, value });
	expect(meeting.map(isMet)).toEqual(meeting.map(() => true));
	expect(others.map(isMet)).toEqual(others.map(() => false));
});

test.each([
	[' RATING', true],
	['f-1', true],
	['Other', false],
])('a condition on "%s" is one on the rating: %s', (label, isRating) => {
	const response = aResponse({ answers: rated('Poor') });
	expect(meets(response, { label, operation: 'equals', value: 'Poor' })).toBe(isRating);
});

test.each<[unknown, unknown, string, boolean]>([
	[{ toString: 1 }, undefined, '{"tostring":1}', true],
	[['A', 'B'], undefined, 'a, b', true],
	[null, ['A', 'B'], 'B', true],
	[null, undefined, 'B', false],
])('an answer that is no text is compared all the same: %j, %j', (value, rawValue, part, isMet) => {
	const response = aResponse({ answers: [anAnswer({ value: value as never, rawValue })] });
	expect(meets(response, { label: 'Name', operation: 'contains', value: part })).toBe(isMet);
});

test('a number is compared as the service stored it, where its text is another', () => {
	const response = aResponse({ answers: [anAnswer({ value: '1,000', rawValue: 1_000 })] });
	const over = (value: string) => ({ label: 'Name', operation: 'greater', value });
	expect([500, 1_000].map((value) => meets(response, over(`${value}`)))).toEqual([true, false]);
});
