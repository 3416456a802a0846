import {
	halfAPageMs,
	lookInterval,
	untilNextLookMs,
} from '../../../../../../nodes/FormResponses/trigger/recover/lookInterval';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const START = Date.UTC(2026, 2, 1);

const keysOf = (times: number[]) => times.map((time, n) => `${n} ${new Date(time).toISOString()}`);

/** Keys of responses, one after the other. */
const every = (ms: number, length: number) =>
	keysOf(Array.from({ length }, (_, n) => START + n * ms));

const fast = every(SECOND, 20);

/** Keys of responses with these pauses between them, in seconds, the latest first. */
const after = (...pauses: number[]) => {
	let time = START;
	return keysOf([time, ...pauses.map((pause) => (time -= pause * SECOND))]);
};

test.each<[string, string[], number | undefined]>([
	['is not known of a form without responses', [], undefined],
	['is not known after 12 responses', every(SECOND, 12), undefined],
	['is known after 13', every(SECOND, 13), 12 * SECOND],
	['counts each once', [...every(SECOND, 12), ...every(SECOND, 12)], undefined],
	['is not that of one in the far future', [...fast, 'x 2099-01-01T00:00:00Z'], 12 * SECOND],
	['is the shorter one after a long pause', [...fast, 'x 2026-03-02T00:00:00Z'], 12 * SECOND],
	['is the median', after(1, 1, 1, 1, 1, 9, 9, 9, 9, 9, 1, 1), 12 * SECOND],
	['is the mean', after(9, 9, 9, 9, 1, 1, 1, 1, 1, 9, 9, 9), 68 * SECOND],
	['does not depend on the order', every(10 * SECOND, 25).reverse(), 2 * MINUTE],
])('the time in which the form gets half a page %s', (_, times, expected) => {
	expect(halfAPageMs(times)).toBe(expected);
});

test.each<[string, number | undefined, number[]]>([
	['an unknown form', undefined, [1, 1, 2, 4, 8, 15, 15]],
	['an idle form', 3 * 24 * 60 * MINUTE, [1, 1, 2, 4, 8, 15, 15]],
	['a form that fills half a page in 5 minutes', 5 * MINUTE, [1, 1, 2, 4, 5, 5, 5]],
	['a form that fills half a page in 20 seconds', 20 * SECOND, [1, 1, 1, 1, 1, 1, 1]],
])('minutes from look to look: %s', (_, paceMs, expected) => {
	const minutes = expected.map((_, looks) => lookInterval(paceMs, looks) / MINUTE);
	expect(minutes).toEqual(expected);
});

test('a look that failed is repeated soon, then ever later, never later than otherwise', () => {
	const waits = [0, 1, 2, 6, 7, 10_000].map((failures) => untilNextLookMs(failures, 900 * SECOND));
	expect(waits.map((ms) => ms / SECOND)).toEqual([900, 5, 10, 160, 300, 300]);
	expect(untilNextLookMs(9, MINUTE)).toBe(MINUTE);
});
