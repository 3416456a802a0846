import { timing } from '../timing';
import { perNode } from './identity';
import { isKnown, RESPONSES } from './known';

/** When each of the latest delivered responses was taken. */
const takenOf = perNode(() => new Map<string, number>());

/** Takes a delivered response. @returns whether this process took it lately, or ran it */
export function takeAgain(node: string, key: string): boolean {
	const taken = takenOf(node);
	const now = performance.now();
	if (isKnown(node, key) || (taken.get(key) ?? -Infinity) > now - timing.takenMs) return true;
	taken.delete(key);
	taken.set(key, now);
	const [oldest] = taken.keys();
	if (taken.size > RESPONSES) taken.delete(oldest);
	return false;
}

/** Lets it be delivered again at once. */
export const giveBack = (node: string, key: string): void => void takenOf(node).set(key, -Infinity);

export const wasTaken = (node: string, key: string): boolean => takenOf(node).has(key);

/** Whether this process took a delivered response within so many milliseconds. */
export const hasTaken = (node: string, withinMs: number): boolean =>
	[...takenOf(node).values()].some((at) => at > performance.now() - withinMs);
