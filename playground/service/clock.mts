/** Strictly increasing milliseconds, so that no two events share a time. */
export function createClock(now = Date.now): () => number {
	let last = 0;
	return () => (last = Math.max(now(), last + 1));
}
