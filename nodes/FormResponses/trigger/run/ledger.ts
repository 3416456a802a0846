import type { Received } from '../received';

/**
 * What the node's store holds of a response: that a run began it, which its key stands for, and that this run
 * ended. The store makes each mark that it is asked for (n8n, deduplication-helper.ts). So a question uses an end
 * mark up, and the next one asks for another.
 */
const ENDS = ['ended', 'ended 2', 'ended 3'];

export const endsOf = (key: string): string[] => ENDS.map((end) => `${key} ${end}`);

/** After so many emissions in vain, a response passes where the store does not answer. */
const PATIENCE = 3;

/**
 * - `delivered`: by a hook.
 * - `missed`: a look found it.
 * - `unfinished`: another run had begun it, and has had the time to end.
 * - `wanted`: a person wants it, whatever ran before.
 */
export type Kind = 'delivered' | 'missed' | 'unfinished' | 'wanted';

export interface Item extends Pick<Received, 'turn' | 'tries'> {
	key: string;
	kind: Kind;
}

/**
 * - `pass`: this run outputs it.
 * - `done`: another run has output it.
 * - `told`: another run has begun it, and may still be killed.
 * - `again`: to be emitted again.
 */
export type Verdict = 'pass' | 'done' | 'told' | 'again';

const asksForEnd = ({ kind }: Item, isAlone: boolean) =>
	kind === 'unfinished' || (kind === 'missed' && isAlone);

const endAskedOf = ({ key, turn = 0, tries = 0 }: Item) =>
	endsOf(key)[(turn + tries) % ENDS.length];

/**
 * The marks that a run asks for, in one call of the store.
 *
 * @param isAlone whether no other process runs the node's responses: then a run that did not end was cut off
 */
export const questionOf = (item: Item, isAlone: boolean): string[] =>
	asksForEnd(item, isAlone) ? [item.key, endAskedOf(item)] : [item.key];

/** @param missing which marks of the question the store did not have; undefined if it did not answer */
export function verdictOf(item: Item, missing: Set<string> | undefined, isAlone: boolean): Verdict {
	const { key, kind, tries = 0 } = item;
	if (kind === 'wanted') return 'pass';
	if (missing === undefined) return kind === 'delivered' || tries >= PATIENCE ? 'pass' : 'again';
	if (missing.has(key)) return 'pass';
	if (kind === 'delivered') return 'done';
	if (!asksForEnd(item, isAlone)) return 'told';
	return missing.has(endAskedOf(item)) ? 'pass' : 'done';
}
