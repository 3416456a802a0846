import { nextTurn } from '../../../../../kit/turn';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

/** What happens, and when. Time passes only from one event to the next. */
export function scheduleFrom(begin: number) {
	/** The next one last. */
	const events: Array<{ time: number; act: () => void }> = [];
	const schedule = {
		now: begin,
		/** Events at the same time happen in the order in which they were planned. */
		at(when: number, act: () => void) {
			const time = Math.max(when, schedule.now);
			let place = events.length;
			while (place > 0 && events[place - 1].time <= time) place--;
			events.splice(place, 0, { time, act });
		},
		async run(until: number) {
			for (let next = events.pop(); next && next.time <= until; next = events.pop()) {
				schedule.now = next.time;
				next.act();
				await nextTurn();
			}
		},
	};
	return schedule;
}

export type Schedule = ReturnType<typeof scheduleFrom>;
