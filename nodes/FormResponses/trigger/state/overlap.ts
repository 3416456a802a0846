import { perNode } from './identity';
import { timing } from '../timing';

/** When each proven key was first used here that is younger than the stored live one; by generation. */
const firstUsesOf = perNode(() => new Map<number, number>());

/**
 * Notes that a hook delivers which is younger than the stored live one.
 *
 * @returns whether the earlier one may still deliver the same at the same time: it is soon removed
 */
export function overlaps(node: string, generation: number): boolean {
	const uses = firstUsesOf(node);
	const firstUse = uses.get(generation) ?? performance.now();
	uses.set(generation, firstUse);
	return performance.now() - firstUse < timing.overlapMs;
}

/** The youngest generation that is stored, or has been used here. */
export const youngestGeneration = (node: string, stored: number): number =>
	Math.max(stored, ...firstUsesOf(node).keys());

/** The generation of the live key: the stored one, or a younger one that has been used here for a while. */
export function liveGeneration(node: string, stored: number): number {
	// Nothing is stored: a replaced key looks like the live one until that is used.
	if (stored === 0) return youngestGeneration(node, stored);
	const lately = performance.now() - timing.overlapMs;
	const proven = [...firstUsesOf(node)].filter(([, firstUse]) => firstUse <= lately);
	return Math.max(stored, ...proven.map(([generation]) => generation));
}
