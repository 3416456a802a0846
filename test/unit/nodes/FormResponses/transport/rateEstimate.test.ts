import { createRateEstimate } from '../../../../../nodes/FormResponses/transport/rateEstimate';

/** A pace after one accepted request and a refusal at 1,000 ms: the next may start a second later. */
function afterRefusal(refusedForMs = 1_000) {
	const pace = createRateEstimate();
	pace.start(0);
	pace.accept(1_000, 0);
	pace.start(1_000);
	pace.refuse(1_000, 1_000, refusedForMs);
	return pace;
}

test('the first refusal makes the requests before it the rate', () => {
	expect(afterRefusal().nextStart()).toBe(2_000);
});

test('a service that says for how long it is closed is asked in the last second of it', () => {
	expect(afterRefusal(60_000).nextStart()).toBe(60_000);
});

test('the first accepted request after it doubles the pace, and the next may start sooner', () => {
	const pace = afterRefusal();
	pace.start(2_000);
	expect(pace.nextStart()).toBe(3_000);
	pace.accept(2_050, 2_000);
	expect(pace.nextStart()).toBe(2_500);
});

test.each([
	['at this pace slows it down', 2_000, 1_000, 4_000],
	['that had started before it does not', 999, 1_000, 5_000],
	['by a service that is closed does not, but has to pass', 2_000, 5_000, 6_100],
])('another refusal %s', (_what, startedAt, refusedForMs, next) => {
	const pace = afterRefusal(5_000);
	pace.start(2_000);
	pace.refuse(2_100, startedAt, refusedForMs);
	expect(pace.nextStart()).toBe(next);
});
