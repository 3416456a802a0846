/** Strictly increasing milliseconds, so that no two events share a time. */
export function createClock(): () => number {
	let last = 0;
	return () => (last = Math.max(Date.now(), last + 1));
}
