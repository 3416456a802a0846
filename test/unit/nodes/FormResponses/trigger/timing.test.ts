import { timing } from '../../../../../nodes/FormResponses/trigger/timing';

/** A wait may be a fifth longer. */
const repeatMs = 1.2 * timing.marksAgainMs.reduce((sum, ms) => sum + ms, 0);

/** What one time owes to another; each alone may be changed. */
test.each<[string, number, number]>([
	['a live hook delivers before its response is overdue', 1_000, timing.overdueMs],
	['an overdue response is found within one pace', timing.overdueMs, timing.shortestPaceMs],
	['looks grow apart', timing.shortestPaceMs, timing.longestPaceMs],
	['looks that fail grow apart', timing.firstRetryMs, timing.longestRetryMs],
	['a failure is tried again before it is told', timing.longestRetryMs, timing.silenceMs],
	['a spare has had its time before the next one', timing.doubtMs, timing.firstSpareMs],
	['spares grow rare', timing.firstSpareMs, timing.longestSpareMs],
	['no hook is left 15 seconds after a stop', timing.callOffMs, 15_001 - timing.startMs],
	['a question waits for another hook', timing.besideMs, timing.answerMs],
	['five tries to publish end before n8n gives up', 5 * timing.attemptMs + 15_000, 84_000],
	['who gets a turn has the time for an answer', timing.turnMs, timing.answerMs],
	['a start waits less than a publication', timing.startMs, timing.attemptMs],
	['the first look waits for a slow publication', 84_000, timing.subscribingMs],
	['marks are kept until they were repeated for the last time', repeatMs, timing.marksKeptMs],
	['a run counts as ended before that is asked', timing.shortRunMs, timing.unfinishedMs],
	['n8n tells that a worker was killed before it is believed', 120_000, timing.emissionMs],
])('%s', (_, shorter, longer) => {
	expect(shorter).toBeLessThan(longer);
});
