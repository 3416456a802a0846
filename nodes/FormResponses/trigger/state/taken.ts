import { timing } from '../timing';
import type { TriggerNodeContext } from './identity';
import { perNode } from './identity';
import { isKnown } from './known';

/** When each delivered response was taken, oldest first. */
const takenOf = perNode(() => new Map<string, number>());

/** Takes a delivered response. @returns whether this process took it lately, or ran it */
export function takeAgain(context: TriggerNodeContext, key: string): boolean {
	const taken = takenOf(context);
	const now = performance.now();
	for (const [one, at] of taken) {
		if (at > now - timing.takenMs) break;
		taken.delete(one);
	}
	if (taken.has(key) || isKnown(context, key)) return true;
	taken.set(key, now);
	return false;
}

/** Whether this process took a delivered response within so many milliseconds. */
export const hasTaken = (context: TriggerNodeContext, withinMs: number): boolean =>
	[...takenOf(context).values()].some((at) => at > performance.now() - withinMs);
