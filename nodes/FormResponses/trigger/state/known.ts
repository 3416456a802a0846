import { perNode } from './identity';

/** Ten times what the API shows. */
export const RESPONSES = 250;

/** Keys of responses that are done: this process ran them, or was told that another one did. */
const keysOf = perNode(() => new Set<string>());

export const isKnown = (node: string, key: string): boolean => keysOf(node).has(key);

/** Most recent last. */
export const knownKeys = (node: string): string[] => [...keysOf(node)];

/** Adds response keys, and forgets the oldest. */
export function addKnown(node: string, keys: string[]): void {
	const known = keysOf(node);
	keys.forEach((key) => known.add(key));
	[...known].slice(0, -RESPONSES).forEach((key) => known.delete(key));
}
