import type { TriggerNodeContext } from './identity';
import { perNode } from './identity';

/** The responses that this process is at, until it is known what came of them. */
const heldOf = perNode(() => new Map<string, Promise<void>>());

/** Says that this process is at these responses. @returns what says that it no longer is */
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

/** Settles when one of these responses may be free; undefined where all are. */
export function heldUntil(
	context: TriggerNodeContext,
	keys: string[],
): Promise<unknown> | undefined {
	const held = heldOf(context);
	return keys.map((key) => held.get(key)).find((settled) => settled !== undefined);
}
