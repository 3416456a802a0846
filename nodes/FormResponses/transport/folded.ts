/** Normalizes text for comparison: trimmed, lower case, composed accents. */
export const folded = (value: unknown): string =>
	String(value ?? '')
		.trim()
		.normalize()
		.toLowerCase();
