/** Draws at random, but the same for the same seed (mulberry32). */
export function drawing(seed: number) {
	let state = seed >>> 0;
	const random = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		random,
		between: (from: number, to: number) => from + random() * (to - from),
		chance: (probability: number) => random() < probability,
		oneOf: <Value>(values: Value[]): Value => values[Math.floor(random() * values.length)],
	};
}

export type Drawing = ReturnType<typeof drawing>;
