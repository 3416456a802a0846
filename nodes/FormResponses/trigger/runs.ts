import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { forget, tryToRecord } from '../processed';

/** A run that n8n did not survive is run again, if it had lasted no longer than this. */
const SHORT_RUN_MS = 10_000;
/** Two keys for each response: 500 of them, twenty times the newest 25 that recovery reads. */
const REMEMBERED = 1_000;

const finished = (key: string) => `${key} finished`;

/**
 * Of responses whose run was started before, those whose run did not finish, because n8n ended in
 * the middle of it.
 */
async function unfinishedOf(context: IExecuteFunctions, keys: string[]): Promise<Set<string>> {
	const unfinished = await tryToRecord(context, keys.map(finished), REMEMBERED);
	if (unfinished === undefined) return new Set(keys);
	await forget(context, [...unfinished]);
	return new Set(keys.filter((key) => unfinished.has(finished(key))));
}

function finishWithRun(context: IExecuteFunctions, keys: string[]) {
	let isRecorded = false;
	const record = async () => {
		if (isRecorded) return;
		isRecorded = true;
		await tryToRecord(context, keys.map(finished), REMEMBERED);
	};
	// n8n does not tell the end of a run that is waiting, and before 2.41 of none.
	context.onExecutionFinish?.(record);
	void sleep(context.onExecutionFinish ? SHORT_RUN_MS : 0).then(record);
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
	const fresh = new Set([...started, ...(await unfinishedOf(context, again))]);
	if (fresh.size > 0) finishWithRun(context, [...fresh]);
	return fresh;
}
