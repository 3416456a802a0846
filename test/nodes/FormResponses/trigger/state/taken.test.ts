import { hasTaken, takeAgain } from '../../../../../nodes/FormResponses/trigger/state/taken';
import { startClock } from '../../../../clock';

const again = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, n) => takeAgain('node', `response ${from + n}`));

test('the latest 250 deliveries of a minute are known, and for how long none came', async () => {
	const clock = startClock({ standing: true });
	expect(again(0, 250)).not.toContain(true);
	expect(again(0, 250)).not.toContain(false);
	expect(again(250, 251)).toEqual([false]);
	expect(again(1, 251)).not.toContain(false);
	expect(again(0, 1)).toEqual([false]);
	await clock.pass(30_000);
	expect([20_000, 40_000].map((ms) => hasTaken('node', ms))).toEqual([false, true]);
	await clock.pass(31_000);
	// Taken after a minute, it is the latest one.
	expect(again(5, 6)).toEqual([false]);
	expect(again(300, 300 + 249)).not.toContain(true);
	expect(again(5, 6)).toEqual([true]);
});
