import type { TriggerNodeContext } from '../state/identity';
import { perNode } from '../state/identity';
import type { TriggerState } from '../state/state';
import { timing } from '../timing';

const REMEMBERED = 6;

/** When each generation of keys other than the stored live one was first used here. */
const firstUsesOf = perNode(() => new Map<number, number>());

/**
 * Notes that a hook other than the live one delivers.
 *
 * @returns whether the live one may deliver the same at the same time: a replaced hook is soon removed
 */
export function overlaps(context: TriggerNodeContext, generation: number): boolean {
	const uses = firstUsesOf(context);
	const firstUse = uses.get(generation) ?? Date.now();
	uses.set(generation, firstUse);
	for (const oldest of uses.keys()) {
		if (uses.size <= REMEMBERED) break;
		uses.delete(oldest);
	}
	return Date.now() - firstUse < timing.overlapMs;
}

/** The generation of the live key: the stored one, or a newer one that has been used here for a while. */
export function liveGeneration(context: TriggerNodeContext, state: TriggerState | undefined) {
	const uses = firstUsesOf(context);
	const isProven = (generation: number) =>
		(uses.get(generation) ?? Infinity) <= Date.now() - timing.overlapMs;
	const known = (state?.keys ?? []).map(({ generation }) => generation);
	return Math.max(state?.generation ?? 0, ...known.filter(isProven));
}
