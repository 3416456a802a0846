import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { forget, tryToRecord } from '../processed';

/** A run that n8n did not survive is run again, if it had lasted no longer than this. */
const SHORT_RUN_MS = 10_000;
/** The store has taken what is recorded, after this. */
const STORE_MS = 2_000;
/** Under load the end of one run is recorded together with the start of another. */
const PATIENCE_MS = 50;
/** Two keys for each response: 250 of them, ten times the newest 25 that recovery reads. */
const REMEMBERED = 500;

const finished = (key: string) => `${key} finished`;

/** Those of the responses whose run has not ended, as far as is recorded. */
async function withoutEnd(context: IExecuteFunctions, keys: string[]): Promise<string[]> {
	const unfinished = await tryToRecord(context, keys.map(finished), REMEMBERED);
	if (unfinished === undefined) return keys;
	await forget(context, [...unfinished]);
	return keys.filter((key) => unfinished.has(finished(key)));
}

/**
 * Of responses whose run was started before, those whose run n8n did not survive. In queue mode a
 * worker may still be at it, although n8n's main process was started again; it records the end soon.
 */
async function cutOff(context: IExecuteFunctions, keys: string[]): Promise<string[]> {
	const suspects = await withoutEnd(context, keys);
	if (suspects.length === 0) return [];
	await sleep(SHORT_RUN_MS + STORE_MS);
	return await withoutEnd(context, suspects);
}

/** What is still to be recorded; nothing once it is, so that a timer keeps no ended run in memory. */
interface End {
	record?: () => Promise<unknown>;
}

async function recordOnce(end: End) {
	const { record } = end;
	end.record = undefined;
	await record?.();
}

const recordAfter = async (ms: number, end: End) =>
	await sleep(ms).then(async () => await recordOnce(end));

function finishWithRun(context: IExecuteFunctions, keys: string[]) {
	const ends = keys.map(finished);
	const end: End = {
		record: async () => await tryToRecord(context, ends, REMEMBERED, PATIENCE_MS),
	};
	// n8n does not tell the end of a run that is waiting, and before 2.41 of none.
	context.onExecutionFinish?.(async () => await recordOnce(end));
	void recordAfter(context.onExecutionFinish ? SHORT_RUN_MS : 0, end);
}

/**
 * Records that a run of these responses starts, and later that it ended.
 *
 * @param keys the responses of this run
 * @param recovered those which n8n may have started to run before it was started again
 * @returns the ones that no run had, or that n8n did not survive
 */
export async function startRun(
	context: IExecuteFunctions,
	keys: string[],
	recovered: Set<string>,
): Promise<Set<string>> {
	const started = await tryToRecord(context, keys, REMEMBERED);
	if (started === undefined) return new Set(keys);
	const again = keys.filter((key) => recovered.has(key) && !started.has(key));
	const fresh = new Set([...started, ...(await cutOff(context, again))]);
	if (fresh.size > 0) finishWithRun(context, [...fresh]);
	return fresh;
}
