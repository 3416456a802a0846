import type { Received, Verdict } from '../runInput';
import { timing } from '../timing';

/**
 * Each run leaves marks of its response in n8n's store of processed items: the response's key when it begins, and the end
 * marks when it ends. The store answers only by recording what it is asked for (n8n, deduplication-helper.ts), so each
 * run that asks whether an earlier one ended uses one end mark up: hence several. A missing end mark means that no run
 * ended.
 */
const ENDS = ['ended', 'ended 2', 'ended 3'];

export const endsOf = (key: string): string[] => ENDS.map((end) => `${key} ${end}`);

/** After so many runs that got no answer from the store, a response passes without one. */
const MOST_UNANSWERED = 3;

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
 * Whether its run waited so long in n8n's queue that a delivery of the same response may have waited there too. If both
 * runs ask the store at the same instant, it tells each that it is the first.
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
	if (answers.length === 0)
		return kind === 'delivered' || tries >= MOST_UNANSWERED ? 'pass' : 'again';
	if (kind === 'delivered') return 'done';
	if (answers.includes(false)) return asksForEnd(item, isAlone) ? 'pass' : 'told';
	return answers.length > ENDS.length ? 'done' : 'told';
}
