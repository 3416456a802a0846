import { retryMs, timing } from '../timing';

export const TICK_MS = 60_000;

const HALF_A_PAGE = 12;

const completedAtOf = (key: string) => Date.parse(key.slice(key.indexOf(' ') + 1));

/**
 * How long the form takes to get half a page of responses, by the shorter of the median and the mean of its latest
 * pauses: one response may bring a time of its own making. Undefined for fewer.
 */
export function halfAPageMs(keys: string[]): number | undefined {
	const times = [...new Set(keys)].map(completedAtOf).sort((a, b) => b - a);
	if (times.length <= HALF_A_PAGE) return undefined;
	const pauses = times.slice(1, HALF_A_PAGE + 1).map((time, index) => times[index] - time);
	const median = pauses.sort((a, b) => a - b)[HALF_A_PAGE / 2];
	return Math.min(HALF_A_PAGE * median, times[0] - times[HALF_A_PAGE]);
}

/**
 * Milliseconds between looks. Grows from the shortest pace, because a form may be new, up to the form's pace.
 *
 * @param looks earlier looks in the life of the trigger
 */
export function lookInterval(paceMs: number | undefined, looks: number): number {
	const { shortestPaceMs, longestPaceMs } = timing;
	const grown = shortestPaceMs * 2 ** (looks - 1);
	return Math.max(shortestPaceMs, Math.min(paceMs ?? Infinity, grown, longestPaceMs));
}

/** A failure never makes the next look later than it would have been. */
export const untilNextLookMs = (failures: number, intervalMs: number): number =>
	Math.min(intervalMs, failures > 0 ? retryMs(failures) : Infinity);

/** In calls of n8n's cron. */
export const ticks = (ms: number): number => Math.max(1, Math.round(ms / TICK_MS));
