import fc from 'fast-check';
import { responseKey } from '../../../../../nodes/FormResponses/responseKey';
import { missedOf } from '../../../../../nodes/FormResponses/trigger/recover/missed';
import { idOf, responsesOf } from '../../../../samples';

const isNew = () => false;
const keysOf = (...numbers: number[]) =>
	responsesOf(4)
		.filter(({ data }) => numbers.some((n) => data.responseId === idOf(n, 2)))
		.map(responseKey);

test.each<[string, string | undefined, string[], number[]]>([
	['those since the subscription, oldest first', '2026-03-01T11:00:02.000Z', [], [2, 3, 4]],
	['the same instant in another notation', '2026-03-01T12:00:02+01:00', [], [2, 3, 4]],
	['all, where there were none before', '', [], [1, 2, 3, 4]],
	['not those that were there before', '', keysOf(1, 2), [3, 4]],
	[
		'one of those, if it was completed again',
		'',
		[`${idOf(2, 2)} 2026-01-01T00:00:00Z`],
		[1, 2, 3, 4],
	],
	['none, where all are older', '2026-03-01T11:00:09.000Z', [], []],
])('%s', (_, since, baseline, expected) => {
	const missed = missedOf(responsesOf(4), { since, baseline }, isNew);
	expect(missed.map(({ data }) => data.responseId)).toEqual(expected.map((n) => idOf(n, 2)));
});

test('each is missed or known, in the order of the form', () => {
	fc.assert(
		fc.property(fc.subarray([1, 2, 3, 4]), fc.subarray([1, 2, 3, 4]), (before, known) => {
			const isKnown = (key: string) => keysOf(...known).includes(key);
			const missed = missedOf(responsesOf(4), { since: '', baseline: keysOf(...before) }, isKnown);
			const expected = [1, 2, 3, 4].filter((n) => !before.includes(n) && !known.includes(n));
			expect(missed.map(({ data }) => data.responseId)).toEqual(expected.map((n) => idOf(n, 2)));
		}),
	);
});
