import type { TriggerNodeContext } from './identity';
import { perNode } from './identity';

/** Responses that this process is working on, until their outcome is known. */
const heldOf = perNode(() => new Map<string, Promise<void>>());

/** Locks responses in this process, without waiting for earlier locks. @returns a function that unlocks them */
export function hold(context: TriggerNodeContext, keys: string[]): () => void {
	const held = heldOf(context);
	let settle = () => {};
	const settled = new Promise<void>((resolve) => (settle = resolve));
	keys.forEach((key) => held.set(key, settled));
	return () => {
		keys.filter((key) => held.get(key) === settled).forEach((key) => held.delete(key));
		settle();
	};
}

/** Settles when the first locked response is unlocked; undefined if none is locked. */
export function heldUntil(
	context: TriggerNodeContext,
	keys: string[],
): Promise<unknown> | undefined {
	const held = heldOf(context);
	return keys.map((key) => held.get(key)).find((settled) => settled !== undefined);
}
