import type { TriggerNodeContext } from './identity';
import { perNode } from './identity';

/** Responses that this process is working on, until their outcome is known. */
const locksOf = perNode(() => new Map<string, Promise<void>>());

/** Locks responses in this process, without waiting for earlier locks. @returns a function that unlocks them */
export function lock(context: TriggerNodeContext, keys: string[]): () => void {
	const locks = locksOf(context);
	let unlock = () => {};
	const unlocked = new Promise<void>((resolve) => (unlock = resolve));
	keys.forEach((key) => locks.set(key, unlocked));
	return () => {
		keys.filter((key) => locks.get(key) === unlocked).forEach((key) => locks.delete(key));
		unlock();
	};
}

/** Settles when the first locked response is unlocked; undefined if none is locked. */
export function whenUnlocked(
	context: TriggerNodeContext,
	keys: string[],
): Promise<unknown> | undefined {
	const locks = locksOf(context);
	return keys.map((key) => locks.get(key)).find((unlocked) => unlocked !== undefined);
}
