/** What is no text, which the API does not rule out, as JSON; each of a list. */
export function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.map(textOf).join(', ');
	return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

/** Normalizes text for comparison: trimmed, plain blanks, lower case, composed accents. */
export const folded = (value: unknown): string =>
	textOf(value).trim().replace(/\s+/g, ' ').normalize().toLowerCase();
