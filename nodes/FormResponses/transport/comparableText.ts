/** What is no text, which the API does not rule out, as JSON; each of a list. */
export function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.map(textOf).join(', ');
	return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

/** Trimmed, with plain blanks for all white space. */
export const oneLine = (value: unknown): string => textOf(value).trim().replace(/\s+/g, ' ');

/** Normalizes text for comparison: on one line, lower case, composed accents. */
export const folded = (value: unknown): string => oneLine(value).normalize().toLowerCase();
