import { createDoubt } from '../../../../../../nodes/FormResponses/trigger/recover/hookDoubt';

const MINUTE = 60_000;

type Doubt = ReturnType<typeof createDoubt>;

const events: Record<string, (doubt: Doubt, now: number) => void> = {
	late: (doubt, now) => doubt.raise(now),
	delivered: (doubt) => doubt.settle(),
	spareMade: (doubt, now) => doubt.changed(now, false),
	spareRemoved: (doubt, now) => doubt.changed(now, true),
};

const spare = '0 late, 15 spareMade, 16 late';
const inVain = `${spare}, 31 spareRemoved, 32 late`;
const another = '91 spareMade, 92 late, 107 spareRemoved, 108 late';
const proven = `${spare}, 20 delivered, 40 late, 55 spareRemoved`;

/** Events with their minutes, and the minute at which hooks are changed next. */
test.each<[string, string, number | undefined]>([
	['15 minutes after a response came late', '0 late', 15],
	['no later because of further ones', '0 late, 9 late', 15],
	['never where a hook delivered since', '0 late, 9 delivered', undefined],
	['15 minutes after one came late despite a spare', spare, 31],
	['never while nothing is late after a spare went', `${spare}, 31 spareRemoved`, undefined],
	['an hour after a spare went that brought nothing', inVain, 91],
	['an hour after one of before the start went', '0 late, 15 spareRemoved, 16 late', 75],
	['two hours after another one went', `${inVain}, ${another}`, 227],
	['an hour after it went, once a hook delivered', `${inVain}, 40 delivered, ${another}`, 167],
	['as soon as a spare went that had brought something', proven, 55],
])('hooks are changed %s: %s', (_, history, expected) => {
	const doubt = createDoubt();
	let last = 0;
	for (const [minute, what] of history.split(', ').map((event) => event.split(' '))) {
		last = Number(minute);
		events[what](doubt, last * MINUTE);
	}
	const later = Array.from({ length: 300 }, (__, n) => last + n);
	expect(later.find((minute) => doubt.isDue(minute * MINUTE))).toBe(expected);
});

test('a delivery settles a doubt that is older than it', () => {
	const doubt = createDoubt();
	const isSettled = () => [4, 5, 6].map((at) => doubt.isSettledBy(at));
	expect(isSettled()).toEqual([false, false, false]);
	doubt.raise(5);
	expect(isSettled()).toEqual([false, false, true]);
});

test('a spare is made no more rarely than each day', () => {
	const doubt = createDoubt();
	const day = 24 * 60 * MINUTE;
	for (let n = 1; n < 10; n++) doubt.changed(n * day, true);
	doubt.raise(9 * day);
	expect([doubt.isDue(10 * day - 1), doubt.isDue(10 * day)]).toEqual([false, true]);
});
