import type { Received, Verdict } from '../runInput';
import { timing } from '../timing';

/**
 * What the node's store holds of a response: that a run began it, which its key stands for, and that this run
 * ended. The store makes each mark that it is asked for (n8n, deduplication-helper.ts), so a run that asks uses an end
 * mark up. Where one is missing, no run ended.
 */
const ENDS = ['ended', 'ended 2', 'ended 3'];

export const endsOf = (key: string): string[] => ENDS.map((end) => `${key} ${end}`);

/** After so many emissions in vain, a response passes where the store does not answer at all. */
const PATIENCE = 3;

/**
 * - `delivered`: by a hook.
 * - `missed`: a look found it.
 * - `unfinished`: another run had begun it, and has had the time to end.
 * - `wanted`: a person wants it, whatever ran before.
 */
export type Kind = 'delivered' | 'missed' | 'unfinished' | 'wanted';

export interface Item extends Pick<Received, 'emittedAt' | 'tries'> {
	key: string;
	kind: Kind;
}

/**
 * Whether it waited for its run so long that its delivery may have waited as well. If both begin at the same instant,
 * the store tells each that it is the first.
 */
export const wasQueued = ({ kind, emittedAt = Infinity }: Item, now: number): boolean =>
	kind !== 'wanted' && now - emittedAt > timing.queuedMs;

const asksForEnd = ({ kind }: Item, isAlone: boolean) =>
	kind === 'unfinished' || (kind === 'missed' && isAlone);

/**
 * The marks that a run asks for, one call of the store after another, until one is missing.
 *
 * @param isAlone whether no other process runs the node's responses: then a run that did not end was cut off
 */
export const marksOf = (item: Item, isAlone: boolean): string[] =>
	asksForEnd(item, isAlone) ? [item.key, ...endsOf(item.key)] : [item.key];

/** @param answers which of its marks the store had, as far as it answered */
export function verdictOf(item: Item, answers: boolean[], isAlone: boolean): Verdict {
	const { kind, tries = 0 } = item;
	if (kind === 'wanted' || answers[0] === false) return 'pass';
	if (answers.length === 0) return kind === 'delivered' || tries >= PATIENCE ? 'pass' : 'again';
	if (kind === 'delivered') return 'done';
	if (answers.includes(false)) return asksForEnd(item, isAlone) ? 'pass' : 'told';
	return answers.length > ENDS.length ? 'done' : 'told';
}
