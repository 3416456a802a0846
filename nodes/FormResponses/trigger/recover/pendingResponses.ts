import type { IRun } from 'n8n-workflow';
import { responseKey, secondOf } from '../../transport/responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import type { Received, Verdict } from '../runInput';
import { REPORT, VERDICTS } from '../runInput';
import type { Memory } from '../state/memory';
import { retryMs, timing } from '../timing';

/** A response that is to be emitted, or was emitted and is not known to be done. */
export interface Pending extends Required<Omit<Received, 'isRecovered' | 'emittedAt' | 'isShown'>> {
	/** Milliseconds, monotonic. */
	dueAt: number;
	/** Whether the hook should have delivered it. */
	isLate: boolean;
	/** Whether another run may have output it, or be about to: then it is asked about first. */
	mayBeOver: boolean;
	/** Whether a run of its own may still wait in n8n's queue. */
	isOut: boolean;
}

/** The look that found the responses. */
export interface Look {
	/** Milliseconds, in n8n's clock. */
	now: number;
	isPolling: boolean;
	/** Whether it is the first one since the trigger started. */
	isFirst: boolean;
	/** Whether the API shows none that is older than the first it found. */
	isOldestShown: boolean;
	/** What was completed earlier may have run in another n8n. */
	guessUntil?: string;
}

/**
 * How many milliseconds what a look found has to wait. A delivery may still be on its way, or its run under way,
 * longer so if there are many; not of what is older than the start. All that have to wait are emitted together.
 */
export function waitsOf(found: ResponseEnvelope[], look: Look): number[] {
	const { now, isPolling, isFirst } = look;
	const overdueMs = timing.overdueMs + found.length * timing.overdueEachMs;
	const ages = found.map(({ data }) => (isFirst ? now - Date.parse(data.completedAt) : 0));
	const waitMs = overdueMs - Math.max(0, Math.min(...ages));
	return ages.map((age) => (isPolling || age >= overdueMs ? 0 : waitMs));
}

/** What a look found, oldest first, as it is to be emitted. @param at the time now, monotonic */
export function pendingOf(found: ResponseEnvelope[], look: Look, { taken }: Memory, at: number) {
	const { isPolling, isFirst, isOldestShown, guessUntil = '' } = look;
	const waits = waitsOf(found, look);
	// Only the poll itself starts runs of what a later poll finds.
	const mayBeOver = isFirst || !isPolling;
	return found.map(
		(envelope, index): Pending => ({
			...{ envelope, isUnfinished: false, tries: 0, mayBeOver, isOut: false },
			dueAt: at + waits[index],
			isGuess: Date.parse(envelope.data.completedAt) < secondOf(guessUntil),
			isOldestShown: isOldestShown && index === 0,
			isLate: !isPolling && !isFirst && !taken.has(responseKey(envelope)),
		}),
	);
}

/** Undefined before n8n had custom data, if the run failed before it reported, and if n8n was killed meanwhile. */
const reportIn = (run: IRun | undefined) => run?.data?.resultData?.metadata?.[REPORT];

/** What became of each response of a run. @param run undefined if n8n did not run it, or cannot tell how it ended */
export function verdictsIn(run: IRun | undefined, emitted: Pending[], isQuestion: boolean) {
	const report = reportIn(run);
	const isSilent = report === undefined && ['success', 'waiting'].includes(run?.status ?? '');
	return emitted.map(({ isUnfinished }, index): Verdict => {
		if (isSilent && isQuestion) return 'free';
		if (isSilent) return isUnfinished ? 'done' : 'told';
		return VERDICTS.find(([letter]) => letter === report?.[index]) ?? 'again';
	});
}

/** Whether the hook failed to deliver a response; undefined if that is unknown. */
export function wasLate(run: IRun | undefined, { isLate }: Pending, verdict: Verdict) {
	const isJudged = isLate && reportIn(run) !== undefined && ['pass', 'done'].includes(verdict);
	return isJudged ? verdict === 'pass' : undefined;
}

/** What was emitted, until there is news of it. */
export function emittedOf(one: Pending, isQuestion: boolean, now: number): Pending {
	const emitted = { ...one, mayBeOver: true, dueAt: now + timing.emissionMs };
	// Its run may still wait in n8n's queue, so no other run takes it over as unfinished.
	if (!isQuestion) return { ...emitted, isUnfinished: false, isOut: true };
	// Whether guesses are outdated is decided for all at once, so none of them runs unasked.
	if (one.isOut || one.isGuess) return emitted;
	return { ...one, mayBeOver: false, dueAt: now + timing.questionMs };
}

/** At a multiple of five seconds, so that what failed together is asked about together. */
const atStep = (one: Pending, at: number): Pending => {
	const dueAt = Math.ceil(at / timing.firstRetryMs) * timing.firstRetryMs;
	return { ...one, mayBeOver: true, isOut: false, dueAt };
};

/** @returns undefined if nothing is left to do */
export function nextOf(one: Pending, verdict: Verdict, now: number): Pending | undefined {
	if (verdict === 'pass' || verdict === 'done') return undefined;
	if (verdict === 'free') return { ...one, mayBeOver: false, dueAt: now };
	if (verdict === 'told') return atStep({ ...one, isUnfinished: true }, now + timing.unfinishedMs);
	const tries = one.tries + 1;
	return atStep({ ...one, tries }, now + retryMs(tries, timing.longestRunAgainMs));
}
