import { timing } from '../../../../../../../nodes/FormResponses/trigger/timing';
import type { Output, Response } from './history';
import { SECOND } from './schedule';
import { LONGEST_CALL_MS } from './store';

/**
 * What became of a response:
 *
 * - `once`: it ran once, as it should.
 * - `lost`: a look saw it, and no run output it.
 * - `cut`: every run that output it was killed within its first ten seconds.
 * - `gone`: as these two, but the page no longer showed it when a main process looked first, or looked again.
 * - `unheard`: as these two, and the queue was lost: n8n never tells that the last run was cut off.
 * - `same`: twice, as two processes got it at the same instant.
 * - `failed`: twice, as the store failed.
 * - `edge`: twice, as n8n was killed when the first run had just ended, or had just lasted for ten seconds.
 * - `twice`: for no such reason.
 */
export type Fate =
	| 'once'
	| 'lost'
	| 'cut'
	| 'gone'
	| 'unheard'
	| 'same'
	| 'failed'
	| 'edge'
	| 'twice';

const isCut = ({ at, run }: Output) =>
	run.killedAt !== undefined && run.killedAt - at < timing.shortRunMs;

/** Whether the process died before its store had the end of the run. */
function isEdge({ run }: Output) {
	const { endedAt = Infinity, countsAsEndedAt = Infinity, hostDiedAt = Infinity } = run;
	// Each call of the store waits for the one before.
	return hostDiedAt < Math.min(endedAt, countsAsEndedAt) + 2 * LONGEST_CALL_MS;
}

function fateWithoutRun({ isSeen, isForgotten, outputs }: Response): Fate {
	if (!isSeen || isForgotten) return 'gone';
	const last = outputs[outputs.length - 1];
	if (last === undefined) return 'lost';
	return last.run.isLost ? 'unheard' : 'cut';
}

export function fateOf(response: Response): Fate {
	const { outputs } = response;
	const first = outputs.findIndex((output) => !isCut(output));
	if (first < 0) return fateWithoutRun(response);
	const [output, next] = outputs.slice(first);
	if (next === undefined) return 'once';
	const areDeliveries = [output, next].every(({ run }) => run.tell === undefined);
	if (areDeliveries && next.at - output.at < 2 * SECOND) return 'same';
	if (next.isUnasked) return 'failed';
	return isEdge(output) ? 'edge' : 'twice';
}
