/** All text in a value and in what hangs on it, also where JSON would not show it. */
export function everythingIn(value: unknown, seen = new Set<unknown>()): string {
	if (typeof value !== 'object' || value === null) return String(value);
	if (seen.has(value)) return '';
	seen.add(value);
	return Object.getOwnPropertyNames(value)
		.map((name) => `${name}: ${everythingIn((value as Record<string, unknown>)[name], seen)}`)
		.join('\n');
}
