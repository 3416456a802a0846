import type { TriggerNodeContext } from './identity';
import { perNode } from './identity';

/** Ten times what the API shows. */
const RESPONSES = 250;

/** Keys of responses that are done: this process ran them, or was told that another one did. */
const keysOf = perNode(() => new Set<string>());

export const isKnown = (context: TriggerNodeContext, key: string): boolean =>
	keysOf(context).has(key);

/** Most recent last; of another node if `nodeId` is given. */
export const knownKeys = (context: TriggerNodeContext, nodeId?: string): string[] => [
	...keysOf(context, nodeId),
];

/** Adds response keys, and forgets the oldest. */
export function keep(known: Set<string>, ...keys: string[]): void {
	keys.forEach((key) => known.add(key));
	for (const key of known) {
		if (known.size <= RESPONSES) break;
		known.delete(key);
	}
}

export const addKnown = (context: TriggerNodeContext, keys: string[]): void =>
	keep(keysOf(context), ...keys);
