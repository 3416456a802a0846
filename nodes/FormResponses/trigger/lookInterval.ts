const HALF_A_PAGE = 12;

/**
 * How long the form took to get its latest half page of responses, in milliseconds; undefined for fewer
 * responses.
 *
 * @param completedAt of the known responses, as in the API
 */
export function halfAPageMs(completedAt: Iterable<string>): number | undefined {
	const times = [...completedAt].map((time) => Date.parse(time)).sort((a, b) => b - a);
	return times.length > HALF_A_PAGE ? times[0] - times[HALF_A_PAGE] : undefined;
}

/**
 * Milliseconds until the next look. Grows from the shortest pace, because a form may be new, up to the form's
 * pace.
 *
 * @param looks earlier looks in the life of the trigger
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
