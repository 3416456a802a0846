import {
	askedWaitMs,
	dated,
	retryAfterMs,
	retryDelay,
	shouldRetry,
} from '../../../../../nodes/FormResponses/transport/retry';
import type { Outcome } from '../../../../../nodes/FormResponses/transport/types';
import { answer, canceled, fault, impossible, tokenless, unreadable } from './outcome.fixture';

const date = 'Sun, 01 Mar 2026 12:00:00 GMT';

const saying = (status: number, retryAfter: string) =>
	answer(status, {}, { 'retry-after': retryAfter });
const broken = fault('ECONNRESET');

describe('whether a request is repeated', () => {
	test.each<[string, Outcome, boolean, boolean, boolean]>([
		['429', answer(429), true, true, true],
		['500', answer(500), true, false, true],
		['503 that says when', saying(503, '4'), true, false, true],
		['503', answer(503), true, false, true],
		['a broken connection', broken, true, false, true],
		['no token for a moment', tokenless('None', { isTransient: true }), true, true, true],
		['no token', tokenless('None'), false, false, false],
		['200', { kind: 'done', body: {} }, false, false, false],
		['301', answer(301), false, false, false],
		['400', answer(400), false, false, false],
		['401', answer(401), false, false, false],
		['403', answer(403), false, false, false],
		['404', answer(404), false, false, false],
		['an unreadable body', unreadable(200, 'OK'), true, false, true],
		['a bad certificate', impossible('no'), false, false, false],
		['a canceled run', canceled, false, false, false],
	])('%s', (_, outcome, onGet, onPost, onDelete) => {
		const repeated = (['GET', 'POST', 'DELETE'] as const).map((method) =>
			shouldRetry({ method, outcome, refusals: 0, faults: 0 }),
		);
		expect(repeated).toEqual([onGet, onPost, onDelete]);
	});

	test.each<[string, Outcome, refusals: number, faults: number, boolean]>([
		['a fault for the third time', answer(502), 9, 2, true],
		['a fault no fourth time', answer(502), 0, 3, false],
		['a broken connection for the third time', broken, 9, 2, true],
		['a broken connection no fourth time', broken, 0, 3, false],
		['a 429 as often as it takes', answer(429), 1_000, 3, true],
		['a 503 that says when as well', saying(503, '4'), 1_000, 3, true],
		['a 503 no fourth time that says soon', saying(503, 'soon'), 0, 3, false],
		['a 503 no fourth time that says at once', saying(503, '0'), 0, 3, false],
	])('%s', (_, outcome, refusals, faults, expected) => {
		expect(shouldRetry({ method: 'GET', outcome, refusals, faults })).toBe(expected);
	});
});

describe('Retry-After', () => {
	test.each<[string | undefined, number | undefined]>([
		['0', 0],
		['1', 1_000],
		['120', 120_000],
		[' 7 ', 7_000],
		['0.5', 500],
		['1.25', 1_250],
		['5 s', undefined],
		['x5', undefined],
		['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
		['Sun, 01 Mar 2026 11:59:00 GMT', 0],
		['', undefined],
		['soon', undefined],
		['3600 (one hour)', undefined],
		[undefined, undefined],
	])('%j means %j ms', (header, ms) => {
		expect(retryAfterMs({ 'retry-after': header, date })).toBe(ms);
	});

	test.each([
		['Sun, 01 Mar 2026 12:00:10 GMT', 20_000],
		['Sun, 01 Mar 2026 12:00:40 GMT', 0],
		['now', undefined],
		[undefined, 30_000],
	])('a date goes by the clock of who answers, or else by that of n8n: %s', (theirs, ms) => {
		const headers = {
			'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT',
			...(theirs && { date: theirs }),
		};
		const outcome = dated(answer(503, '', headers), Date.parse(date));
		expect(askedWaitMs(outcome)).toBe(ms || undefined);
	});
});

describe('how long to wait', () => {
	const delay = (outcome: Outcome, times: number, random: number) =>
		retryDelay({ method: 'GET', outcome, refusals: times, faults: times }, random);

	test('never shorter than Retry-After says, and up to a tenth longer', () => {
		for (const status of [429, 503]) {
			const outcome = saying(status, '10');
			for (const times of [0, 9]) expect(delay(outcome, times, 0)).toBe(10_000);
			expect(delay(outcome, 0, 0.999)).toBeGreaterThan(10_900);
			expect(delay(outcome, 0, 0.999)).toBeLessThanOrEqual(11_000);
		}
	});

	test.each([0, 9])('the shortest wait is kept to after %i refusals', (times) => {
		expect(delay(saying(429, '0.1'), times, 0)).toBe(100);
	});

	test.each([answer(429), saying(429, '0'), saying(429, 'soon')])(
		'a 429 that says nothing, or to come at once, is not answered in a tight loop: %j',
		(outcome) => {
			const waits = [0, 1, 2, 3, 4, 5, 6].map((times) => delay(outcome, times, 0));
			expect(waits[0]).toBeGreaterThanOrEqual(100);
			expect(waits[6]).toBeGreaterThan(waits[0]);
			expect(Math.max(...waits)).toBeLessThanOrEqual(8_000);
		},
	);

	test('a fault: a time that doubles, and up to as long again', () => {
		for (const outcome of [answer(500), broken]) {
			const waits = (random: number) => [0, 1, 2].map((times) => delay(outcome, times, random));
			expect(waits(0)).toEqual([500, 1_000, 2_000]);
			expect(waits(1)).toEqual([1_000, 2_000, 4_000]);
		}
	});
});
