import type { IRun } from 'n8n-workflow';
import { responseKey, secondOf } from '../../transport/responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import type { Received } from '../received';
import { REPORT } from '../received';
import type { Start } from '../state/state';
import { retryMs, timing } from '../timing';

/** A response that is to be emitted, or was emitted and is not known to be done. */
export interface Pending
	extends Required<Pick<Received, 'envelope' | 'isUnfinished' | 'tries' | 'isOldestShown'>> {
	/** Milliseconds, in a clock that nobody sets. */
	dueAt: number;
	/** Whether the hook should have delivered it. */
	isLate: boolean;
}

/** The look that found the responses. */
export interface Look {
	/** Milliseconds, in n8n's clock. */
	now: number;
	isPolling: boolean;
	/** Whether it is the first one since the trigger started. */
	isFirst: boolean;
}

/** Responses since the start that are not known to have run, oldest first. */
export function missedOf(
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

/**
 * How many milliseconds what a look found has to wait. A delivery may still be on its way, or its run under way,
 * longer so if there are many; not of what is older than the start. All that have to wait go into one run.
 */
export function waitsOf(found: ResponseEnvelope[], { now, isPolling, isFirst }: Look): number[] {
	const overdueMs = timing.overdueMs + found.length * timing.overdueEachMs;
	const ages = found.map(({ data }) => (isFirst ? now - Date.parse(data.completedAt) : 0));
	const waitMs = overdueMs - Math.max(0, Math.min(...ages));
	return ages.map((age) => (isPolling || age >= overdueMs ? 0 : waitMs));
}

/**
 * - `over`: a run output it.
 * - `told`: a run had begun it before, and may still be killed.
 * - `again`: nobody has it.
 * - `left`: it did not come to the run.
 */
export type Fate = 'again' | 'left' | 'over' | 'told';

/**
 * Undefined if a run does not report. It does not in n8n before custom data, where it failed, and where a worker
 * was killed with it: then it ends as `error` after about two minutes (n8n, workflow-runner.ts, processError).
 */
function reportIn(run: IRun | undefined) {
	const metadata = run?.data?.resultData?.metadata;
	return metadata?.[REPORT.passed] === undefined ? undefined : metadata;
}

/** What became of each response of an emission. @param run undefined if n8n did not run it */
export function fatesOf(run: IRun | undefined, emitted: Pending[]): Fate[] {
	const report = reportIn(run);
	if (report === undefined) {
		if (run?.status !== 'success' && run?.status !== 'waiting') return emitted.map(() => 'again');
		return emitted.map(({ isUnfinished }) => (isUnfinished ? 'over' : 'told'));
	}
	const [told, again] = [REPORT.told, REPORT.again].map((name) => report[name]?.split(' ') ?? []);
	// With "Execute Once", n8n gives a run its first item only.
	const arrived = Number(report[REPORT.arrived] ?? emitted.length);
	return emitted.map((_, index) => {
		if (index >= arrived) return 'left';
		if (told.includes(String(index))) return 'told';
		return again.includes(String(index)) ? 'again' : 'over';
	});
}

/** @returns undefined if nothing is left to do */
export function nextOf(one: Pending, fate: Fate, now: number): Pending | undefined {
	if (fate === 'over') return undefined;
	if (fate === 'told') return { ...one, isUnfinished: true, dueAt: now + timing.unfinishedMs };
	if (fate === 'left') return { ...one, dueAt: now };
	const tries = one.tries + 1;
	return { ...one, tries, dueAt: now + retryMs(tries) };
}

/** How many of its responses the hook failed to deliver, by an emission's end; undefined if that is unknown. */
export function lateIn(run: IRun | undefined, emitted: Pending[]): number | undefined {
	const report = emitted.every(({ isLate }) => isLate) ? reportIn(run) : undefined;
	return report && Number(report[REPORT.passed]);
}
