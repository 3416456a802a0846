import type { IRun } from 'n8n-workflow';
import type { ResponseEnvelope } from '../../transport/types';
import { REPORT } from '../received';
import { retryMs, timing } from '../timing';

/** A response that is to be emitted, or was emitted and is not known to be done. */
export interface Pending {
	envelope: ResponseEnvelope;
	/** Milliseconds, in a clock that nobody sets. */
	dueAt: number;
	/** Whether another run had begun it. */
	isUnfinished: boolean;
	/** How often it was emitted in vain. */
	tries: number;
	isOldestShown: boolean;
	/** Whether the hook should have delivered it. */
	isLate: boolean;
	/** The latest emission. */
	emission?: symbol;
}

/** The look that found the responses. */
export interface Look {
	/** Milliseconds, in n8n's clock. */
	now: number;
	/** Whether nothing delivers. */
	isPolling: boolean;
	/** Whether it is the first one since the trigger started. */
	isFirst: boolean;
}

/**
 * How many milliseconds what a look found has to wait. A delivery may still be on its way, except of what is older
 * than the start; all that have to wait go into one run.
 */
export function waitsOf(found: ResponseEnvelope[], { now, isPolling, isFirst }: Look): number[] {
	const ages = found.map(({ data }) => (isFirst ? now - Date.parse(data.completedAt) : 0));
	const waitMs = timing.overdueMs - Math.max(0, Math.min(...ages));
	return ages.map((age) => (isPolling || age >= timing.overdueMs ? 0 : waitMs));
}

/**
 * - `over`: a run output it.
 * - `told`: a run had begun it before, and may still be killed.
 * - `again`: nobody has it.
 * - `left`: it did not come to the run.
 */
export type Fate = 'again' | 'left' | 'over' | 'told';

const metadataOf = (run: IRun | undefined) => run?.data?.resultData?.metadata;

/**
 * How many responses a run output; undefined if it does not say. It does not in n8n before custom data, where it
 * failed, and where a worker was killed with it: then it ends as `error` after about two minutes (n8n,
 * workflow-runner.ts, processError).
 */
function passedIn(run: IRun | undefined): number | undefined {
	const passed = metadataOf(run)?.[REPORT.passed];
	return passed === undefined ? undefined : Number(passed);
}

/** What became of each response of an emission. @param run undefined if n8n did not run it */
export function fatesOf(run: IRun | undefined, emitted: Pending[]): Fate[] {
	if (passedIn(run) === undefined) {
		const isSilent = run?.status === 'success' || run?.status === 'waiting';
		return emitted.map(({ isUnfinished }) => {
			if (!isSilent) return 'again';
			return isUnfinished ? 'over' : 'told';
		});
	}
	const positions = (what: 'again' | 'told') => metadataOf(run)?.[REPORT[what]]?.split(' ') ?? [];
	const [told, again] = [positions('told'), positions('again')];
	// With "Execute Once", n8n gives a run its first item only.
	const arrived = Number(metadataOf(run)?.[REPORT.arrived] ?? emitted.length);
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
	return emitted.every(({ isLate }) => isLate) ? passedIn(run) : undefined;
}
