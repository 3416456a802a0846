/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
export function drawFrom(seed: number) {
	let state = seed;
	function random() {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}
	return {
		below: (limit: number) => random() * limit,
		/** A whole number from 1. */
		upTo: (most: number) => 1 + Math.floor(random() * most),
		oneOf: <Choice,>(choices: readonly Choice[]) => choices[Math.floor(random() * choices.length)]!,
	};
}

export type Draw = ReturnType<typeof drawFrom>;
