import type { Received } from '../received';

/**
 * What the node's store holds of a response: that a run began it, which its key stands for, and that this run
 * ended. The store makes each mark that it is asked for (n8n, deduplication-helper.ts). So a question uses an end
 * mark up, and only where all are there, a run has ended.
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

export interface Item extends Pick<Received, 'tries'> {
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

/**
 * The marks that a run asks for, one call of the store after another, until one is missing.
 *
 * @param isAlone whether no other process runs the node's responses: then a run that did not end was cut off
 */
export function questionsOf(item: Item, isAlone: boolean): string[][] {
	if (!asksForEnd(item, isAlone)) return [[item.key]];
	const [first, ...others] = endsOf(item.key);
	return [[item.key, first], ...others.map((end) => [end])];
}

/** @param missing which marks of the questions the store did not have; undefined if it did not answer */
export function verdictOf(item: Item, missing: Set<string> | undefined, isAlone: boolean): Verdict {
	const { key, kind, tries = 0 } = item;
	if (kind === 'wanted') return 'pass';
	if (missing === undefined) return kind === 'delivered' || tries >= PATIENCE ? 'pass' : 'again';
	if (missing.has(key)) return 'pass';
	if (kind === 'delivered') return 'done';
	if (!asksForEnd(item, isAlone)) return 'told';
	return endsOf(key).some((end) => missing.has(end)) ? 'pass' : 'done';
}
