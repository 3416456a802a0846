/**
 * Reads the format of the npm package "flatted", in which n8n keeps execution data: an array whose first
 * element is the root, and in which every string inside an object or array is the index of its value.
 */
export function unflatten(text: string): unknown {
	const entries = JSON.parse(text) as unknown[];
	const built = new Map<number, unknown>();

	function at(index: number): unknown {
		if (built.has(index)) return built.get(index);
		const entry = entries[index];
		if (typeof entry !== 'object' || entry === null) return entry;
		const value: Record<string, unknown> | unknown[] = Array.isArray(entry) ? [] : {};
		built.set(index, value);
		for (const [key, child] of Object.entries(entry)) {
			Object.defineProperty(value, key, {
				value: typeof child === 'string' ? at(Number(child)) : child,
				enumerable: true,
				writable: true,
				configurable: true,
			});
		}
		return value;
	}

	return at(0);
}
