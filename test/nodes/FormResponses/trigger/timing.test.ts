import { timing } from '../../../../nodes/FormResponses/trigger/timing';

/** What one time owes to another; each alone may be changed. */
test.each<[string, number, number]>([
	['a live hook delivers before its response is overdue', 1_000, timing.overdueMs],
	['an overdue response is found within one pace', timing.overdueMs, timing.shortestPaceMs],
	['looks grow apart', timing.shortestPaceMs, timing.longestPaceMs],
	['looks that fail grow apart', timing.firstRetryMs, timing.longestRetryMs],
	['a failure is tried again before it is told', timing.longestRetryMs, timing.silenceMs],
	['five tries to publish end before n8n gives up', 5 * timing.attemptMs + 15_000, 84_000],
	['a start waits less than a publication', timing.startMs, timing.attemptMs],
	['the first look waits for a slow publication', 84_000, timing.subscribingMs],
	[
		'marks that were erased are made again while others wait',
		timing.marksAgainMs[0],
		timing.settleMs,
	],
	['with room for a second try', timing.marksAgainMs[0] * 1.4 * 2, timing.settleMs],
	[
		'marks are kept until they were made again for the last time',
		1.4 * timing.marksAgainMs.reduce((sum, ms) => sum + ms, 0),
		timing.marksKeptMs,
	],
	['an end is looked at again before others may take it for cut off', timing.writeMs, 1_000],
	['marks are made again before they are believed to stay', timing.writeMs, timing.erasableMs],
	['marks that stay are forgotten in time', timing.erasableMs, timing.marksKeptMs],
	['a run is believed in for longer than its marks take', 2 * timing.shortRunMs, timing.emissionMs],
])('%s', (_, shorter, longer) => {
	expect(shorter).toBeLessThan(longer);
});
