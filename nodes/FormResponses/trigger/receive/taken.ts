import { isKnown } from '../state/known';
import type { TriggerNodeContext } from '../state/identity';
import { perNode } from '../state/identity';
import { timing } from '../timing';

/** Until when each delivered response counts as taken, oldest first. */
const takenOf = perNode(() => new Map<string, number>());

/** Takes a delivered response. @returns whether this process took it lately, or ran it */
export function takeAgain(context: TriggerNodeContext, key: string): boolean {
	const taken = takenOf(context);
	const now = Date.now();
	for (const [one, until] of taken) {
		if (until > now) break;
		taken.delete(one);
	}
	if (taken.has(key) || isKnown(context, key)) return true;
	taken.set(key, now + timing.takenMs);
	return false;
}
