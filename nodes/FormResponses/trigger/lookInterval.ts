const HALF_A_PAGE = 12;

/**
 * The time in which the form last got half a page of responses, in milliseconds, and so how long the
 * page of the newest can be trusted to show all; undefined where it never got so many.
 *
 * @param completedAt of the responses that are known, as in the API
 */
export function halfAPageMs(completedAt: Iterable<string>): number | undefined {
	const times = [...completedAt].map((time) => Date.parse(time)).sort((a, b) => b - a);
	return times.length > HALF_A_PAGE ? times[0] - times[HALF_A_PAGE] : undefined;
}

/**
 * How long to wait for the next look. It grows from the shortest, because a form may be new, and
 * follows the pace of the form.
 *
 * @param looks that were made before this one in the life of the trigger
 */
export function lookInterval(
	paceMs: number | undefined,
	looks: number,
	{ shortestPaceMs, longestPaceMs }: { shortestPaceMs: number; longestPaceMs: number },
): number {
	const grown = shortestPaceMs * 2 ** Math.min(Math.max(0, looks - 1), 30);
	const wanted = Math.min(paceMs ?? Infinity, grown, longestPaceMs);
	return Math.max(shortestPaceMs, wanted);
}
