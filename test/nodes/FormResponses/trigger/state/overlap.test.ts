import {
	liveGeneration,
	overlaps,
	youngestGeneration,
} from '../../../../../nodes/FormResponses/trigger/state/overlap';
import { startClock } from '../../../../clock';

test.each([
	['where nothing is stored, at once', 0, [5, 5]],
	['where an older one is stored, after a minute', 3, [3, 5]],
	['where a younger one is stored, never', 9, [9, 9]],
])('a hook that delivers is the live one %s', async (node, stored, expected) => {
	const clock = startClock({ standing: true });
	expect([overlaps(node, 4), overlaps(node, 5)]).toEqual([true, true]);
	const live = [liveGeneration(node, stored)];
	await clock.pass(61_000);
	live.push(liveGeneration(node, stored));
	expect(live).toEqual(expected);
	expect(overlaps(node, 5)).toBe(false);
	expect(youngestGeneration(node, stored)).toBe(Math.max(5, stored));
});
