import { deliveryIn } from './delivery';
import { faultsIn } from './faults';
import { PAGE } from './form';
import { MINUTE, SECOND } from './schedule';
import type { World } from './world';

/**
 * Plans bursts of responses, then a steady form, then a quiet one, and faults meanwhile.
 *
 * @returns when all of it is over
 */
export function plan(count: number, world: World) {
	const { schedule, fate, form } = world;
	const deliver = deliveryIn(world);
	const harm = faultsIn(world);
	let time = schedule.now + 10 * SECOND;
	const isBelow = (part: number) => form.all.length < count * part;
	const complete = (at: number) => deliver(form.complete(at));
	while (isBelow(0.6)) {
		for (let n = 0; n < PAGE; n++) complete(time + fate.between(0, 300));
		harm(time + fate.between(0, 3) * SECOND);
		if (fate.chance(0.5)) harm(time + fate.between(0, 15) * SECOND);
		time += fate.between(90, 240) * SECOND;
	}
	while (isBelow(0.9)) {
		complete(time);
		if (fate.chance(0.04)) harm(time + fate.between(0, 2) * SECOND);
		time += 2 * SECOND;
	}
	while (isBelow(1)) {
		complete(time);
		if (fate.chance(0.25)) harm(time + fate.between(0, 3) * SECOND);
		time += fate.between(1, 30) * MINUTE;
	}
	return time + 60 * MINUTE;
}
