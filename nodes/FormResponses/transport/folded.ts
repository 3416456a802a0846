/** Text as it is compared: without blanks around it, in one case and one spelling of accents. */
export const folded = (value: unknown): string =>
	String(value ?? '')
		.trim()
		.normalize()
		.toLowerCase();
