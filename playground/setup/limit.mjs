/**
 * Runs so many at a time; the others wait in the order of their calls.
 *
 * @param {number} atOnce
 */
export function limit(atOnce) {
	let free = atOnce;
	/** @type {Array<() => void>} */
	const waiting = [];

	/**
	 * @template T
	 * @param {() => Promise<T>} work
	 */
	return async (work) => {
		if (free > 0) free -= 1;
		else await new Promise((resolve) => waiting.push(() => resolve(undefined)));
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else free += 1;
		}
	};
}
