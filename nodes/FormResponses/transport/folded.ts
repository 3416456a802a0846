/** Normalizes text for comparison: trimmed, plain blanks, lower case, composed accents. */
export const folded = (value: unknown): string =>
	String(value ?? '')
		.trim()
		.replace(/\s+/g, ' ')
		.normalize()
		.toLowerCase();
