import type { StoredKey } from '../state/hookKey';
import type { KnownKey } from '../state/memory';
import { timing } from '../timing';

/** What is known of a completed response that was delivered. */
export interface Delivery {
	isPolling: boolean;
	isTest: boolean;
	/** Whether it is for the node's form. */
	isOwnForm: boolean;
	/** Whether its key is the one that n8n has stored. */
	isLive: boolean;
	/** Whether this process took its response within the last minute, or ran it. */
	isAgain: boolean;
	/** Whether this process ever took or ran its response. */
	isTaken: boolean;
	skipsDuplicates: boolean;
	/** Whether the live hook brings what this one brings, as far as can be known. */
	isSuperfluous: boolean;
	/** Whether it may have been completed since the start, and within the time that services try again. */
	isCurrent: boolean;
}

export type Status = 200 | 400 | 403 | 410 | 503;

/** How to answer, and why, for n8n's log. */
export type Reply = [status: Status, reason: string];

/**
 * - `run`: with what was delivered.
 * - `ask`: with what the service shows of it.
 */
export type Verdict = 'run' | 'ask' | Reply;

/** Replies to the sender. They reveal nothing about keys, which could help an intruder. */
export const MESSAGES: Record<Status, string> = {
	200: 'Received',
	400: 'The body is not a completed response in JSON',
	403: 'Forbidden',
	410: 'Gone',
	503: 'Try again later',
};

/** What is no completed response: services ask in their own ways whether anybody is there. */
export type Misfit = 'other' | 'unreadable';

const MISFITS: Record<Misfit, Verdict> = {
	other: [200, 'it is not a completed response'],
	unreadable: [400, 'it has another shape'],
};

/**
 * Every answer to a completed response: the first row that applies. 410 makes the service drop the hook with all that it still
 * holds (playground/service/openapi.yaml), so it takes proof that another hook brings the same.
 */
const VERDICTS: Array<[applies: (delivery: Delivery) => boolean, verdict: Verdict]> = [
	[(one) => one.isPolling, [410, 'the node polls']],
	[(one) => one.isTest && !one.isLive, [410, 'it is for another test']],
	[(one) => one.isTest, 'run'],
	[(one) => !one.isOwnForm && one.isLive, [403, 'it is for another form']],
	[(one) => !one.isOwnForm, [410, 'its hook is for another form']],
	[(one) => one.isLive && one.isAgain && one.skipsDuplicates, [200, 'it was delivered before']],
	[(one) => one.isLive, 'run'],
	[(one) => one.isSuperfluous, [410, 'another hook brings the same']],
	[(one) => one.isTaken, [200, 'it was delivered before']],
	[(one) => !one.isCurrent, [200, 'it is too old']],
	[() => true, 'ask'],
];

export const judge = (delivery: Delivery | Misfit): Verdict =>
	typeof delivery === 'string'
		? MISFITS[delivery]
		: VERDICTS.find(([applies]) => applies(delivery))![1];

/** Answers to what the service has to be asked about. After 503 the sender tries again. */
export const ASKED: Record<'absent' | 'unsaid' | 'tooMuch', Reply> = {
	absent: [200, 'the form service shows nothing new of it'],
	unsaid: [503, 'nobody can tell now'],
	tooMuch: [503, 'too much is asked'],
};

/** A hook that brought a response, and is not the live one. */
interface Other {
	madeAt: number;
	/** If it brought a response of the form before. */
	known?: KnownKey;
	/** Of the response, in milliseconds. */
	completedAt: number;
	/** Whether the live key brought it to this process. */
	byLive: boolean;
}

/**
 * Whether a hook has to end that brings what the live one brings. A younger one was made beside it, and has had its time;
 * an older one holds nothing any more, or is the twin of the live one: the answer to its creation was lost. Of two
 * processes, each may get the responses of one twin only.
 *
 * @param now milliseconds, monotonic
 */
export function isSuperfluous(
	{ madeAt, known, completedAt, byLive }: Other,
	live: StoredKey & { hookMadeAt?: string },
	now: number,
): boolean {
	const hookMadeAt = Date.parse(live.hookMadeAt ?? '');
	const olderMs = live.keyMadeAt - madeAt;
	if (olderMs > 0 && olderMs <= timing.twinMs) return byLive || completedAt >= hookMadeAt;
	if (olderMs < 0) return byLive && known !== undefined && now - known.since >= timing.doubtMs;
	return byLive && completedAt >= hookMadeAt + timing.heldMs;
}
