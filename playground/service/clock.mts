export type Clock = () => number;

/** Strictly increasing milliseconds, so that no two events share a time. */
export function createClock(now: () => number = Date.now): Clock {
	let last = 0;
	return () => (last = Math.max(now(), last + 1));
}
