import { timing } from '../timing';
import { perNode } from './identity';
import { isKnown } from './known';

/** When each delivered response was taken, oldest first. */
const takenOf = perNode(() => new Map<string, number>());

/** Takes a delivered response. @returns whether this process took it lately, or ran it */
export function takeAgain(node: string, key: string): boolean {
	const taken = takenOf(node);
	const now = performance.now();
	for (const [one, at] of taken) {
		if (at > now - timing.takenMs) break;
		taken.delete(one);
	}
	if (taken.has(key) || isKnown(node, key)) return true;
	taken.set(key, now);
	return false;
}

/** Whether this process took a delivered response within so many milliseconds. */
export const hasTaken = (node: string, withinMs: number): boolean =>
	[...takenOf(node).values()].some((at) => at > performance.now() - withinMs);
