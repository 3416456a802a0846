import { responseKey, secondOf } from '../../transport/responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import type { Start } from '../state/triggerState';

/** What a look reads, and what is known then. */
export interface Page {
	newest: ResponseEnvelope[];
	/** Whether the API may have more. */
	isFull: boolean;
	/** Keys of the page before. */
	before: string[];
	start: Start;
	/** Whether a response meets Only If. */
	isWanted: (one: ResponseEnvelope) => boolean;
	/** Whether a response is done, or about to be emitted. */
	isHandled: (key: string) => boolean;
	isPolling: boolean;
	/** Whether it is the first look in the life of the trigger. */
	isFirst: boolean;
}

export interface Decision {
	/** To be emitted, oldest first. */
	missed: ResponseEnvelope[];
	/** Whether the API shows none that is older than the first of them. */
	isOldestShown: boolean;
	/** Whether more came since the last look than the API shows. */
	isOverrun: boolean;
}

/** Responses since the start that are not known to have run, oldest first. */
function missedOf(
	newest: ResponseEnvelope[],
	{ since, baseline }: Start,
	isKnown: (key: string) => boolean,
): ResponseEnvelope[] {
	const sinceTime = since ? secondOf(since) : -Infinity;
	const isOld = (key: string) => baseline.includes(key) || isKnown(key);
	return newest
		.filter((one) => secondOf(one.data.completedAt) >= sinceTime && !isOld(responseKey(one)))
		.reverse();
}

/** What becomes of a page. */
export function decide(page: Page): Decision {
	const { newest, isFull, before, start, isWanted, isHandled, isPolling, isFirst } = page;
	const wanted = newest.filter(isWanted);
	// Otherwise what an earlier look saw is still shown.
	const hasGap = isFull && !before.includes(responseKey(newest[newest.length - 1]));
	const missed = missedOf(wanted, start, isHandled);
	return {
		missed,
		isOldestShown: hasGap && missed.includes(wanted[wanted.length - 1]),
		isOverrun: hasGap && isPolling && !isFirst && missed.length === 0,
	};
}
