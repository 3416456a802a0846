import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { TriggerNodeContext } from './identity';
import { perNode } from './identity';
import { mark, markForGood, sleepAbout } from './marks';
import { timing } from './timing';

/**
 * What is recorded of a response's run, in pairs. A run that starts records the first pair, and at its
 * end all. Marks are only ever added, so that those of several processes come together whatever the
 * order. To ask for a mark is to make it, hence two of each: the first is asked for at once, the
 * second after those of other processes had time to arrive.
 *
 * The pairs of the end also tell who took over a run that n8n did not survive: each who did, or who was
 * cut off while it waited, has used up one.
 */
const pairsOf = (key: string) => [
	[`${key} started`, key],
	[`${key} ended`, `${key} finished`],
	...[2, 3].map((time) => [`${key} ended ${time}`, `${key} finished ${time}`]),
];

const startOf = (key: string) => pairsOf(key)[0];
const endOf = (key: string) => pairsOf(key).flat();

/** Ten times what the API shows, and no more than the store remembers with all their marks. */
const RESPONSES = 250;

/** Keys of responses that ran, as far as this process knows. */
const ranOf = perNode(() => new Set<string>());

export const isKnown = (context: TriggerNodeContext, key: string): boolean =>
	ranOf(context).has(key);

/** The responses that ran, as far as this process knows, the last one last; by another node, if one is named. */
export const knownKeys = (context: TriggerNodeContext, nodeId?: string): string[] => [
	...ranOf(context, nodeId),
];

export function addKnown(context: TriggerNodeContext, keys: string[]): void {
	const known = ranOf(context);
	keys.forEach((key) => known.add(key));
	for (const key of known) {
		if (known.size <= RESPONSES) break;
		known.delete(key);
	}
}

/** Whether a mark was not there; so it is taken to be where the store fails. */
const isNew = async (context: IExecuteFunctions, one: string) =>
	(await mark(context, [one]))?.has(one) ?? true;

const isCanceled = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;

/** Where a run was stopped: it had made the first mark of this pair, or also been the first with the second. */
interface Stop {
	level: number;
	isFirst: boolean;
}

/** By response; the next look goes on there, and does not use up another pair. */
const stopsOf = perNode(() => new Map<string, Stop>());

/**
 * Whether a response that another process may have run has to run: nobody began, or n8n did not survive
 * the run. In queue mode a worker may still be at it, although n8n's main process was started again; it
 * records the end soon.
 */
async function mustRun(context: IExecuteFunctions, key: string): Promise<boolean> {
	const stops = stopsOf(context);
	const stop = stops.get(key);
	if (stop?.isFirst) return true;
	stops.delete(key);
	for (const [level, [atOnce, later]] of pairsOf(key).entries()) {
		if (level !== stop?.level && !(await isNew(context, atOnce))) continue;
		// Longer than whoever waits at the pair before, who may have begun only now.
		const takeOverMs = level * (timing.shortRunMs + 2 * timing.settleMs);
		await sleepAbout(level === 0 ? timing.settleMs : takeOverMs);
		if (isCanceled(context)) {
			stops.set(key, { level, isFirst: false });
			return false;
		}
		const isFirst = await isNew(context, later);
		if (isFirst) stops.set(key, { level, isFirst });
		if (isFirst || level > 0) return isFirst;
	}
	return false;
}

/** What is still to be recorded; nothing once it is, so that a timer keeps no ended run in memory. */
interface End {
	record?: () => Promise<unknown>;
	recording?: Promise<unknown>;
}

async function recordOnce(end: End) {
	const { record } = end;
	end.record = undefined;
	if (record) end.recording = record().finally(() => (end.recording = undefined));
	await end.recording;
}

const recordAfter = async (ms: number, end: End) =>
	await sleep(ms).then(async () => await recordOnce(end));

function endWithRun(context: IExecuteFunctions, keys: string[]) {
	const end: End = { record: async () => await markForGood(context, keys.flatMap(endOf)) };
	// n8n does not tell the end of a run that is waiting, and before 2.33 of none. Until this returns it
	// does not stop, unless it is killed (n8n-core, execution-lifecycle-hooks.ts, runHook).
	context.onExecutionFinish?.(async () => await recordOnce(end));
	void recordAfter(context.onExecutionFinish ? timing.shortRunMs : 0, end);
}

/**
 * Of responses that were delivered, those that no run had. Of the others n8n may not have survived the
 * run, which only recovery can tell.
 */
async function freshOf(context: IExecuteFunctions, keys: string[]): Promise<string[]> {
	if (keys.length === 0) return [];
	const recorded = await mark(context, keys.flatMap(startOf));
	const isFresh = (key: string) => recorded?.has(key) ?? true;
	keys.filter((key) => !isFresh(key)).forEach((key) => ranOf(context).delete(key));
	return keys.filter(isFresh);
}

/**
 * Records that a run of these responses starts, and later that it ended.
 *
 * @param delivered keys of those that only this process gets now
 * @param uncertain keys of those that another process may have started to run, or may start now
 * @returns the keys that no run had, or that n8n did not survive
 */
export async function startRun(
	context: IExecuteFunctions,
	delivered: string[],
	uncertain: string[],
): Promise<Set<string>> {
	const isUnknown = (key: string) => !isKnown(context, key);
	const [certain, others] = [delivered.filter(isUnknown), uncertain.filter(isUnknown)];
	// Before the store answers, so that of two runs at the same time one is dropped.
	addKnown(context, [...certain, ...others]);
	const answers = await Promise.all(others.map(async (key) => await mustRun(context, key)));
	if (isCanceled(context)) {
		others.forEach((key) => ranOf(context).delete(key));
		return new Set();
	}
	others.forEach((key) => stopsOf(context).delete(key));
	const cameLate = others.filter((_, index) => !answers[index]);
	const fresh = [
		...(await freshOf(context, [...new Set(certain)])),
		...others.filter((_, index) => answers[index]),
	];
	if (cameLate.length > 0) void markForGood(context, cameLate.flatMap(endOf));
	if (fresh.length > 0) endWithRun(context, fresh);
	return new Set(fresh);
}

/** Records a run that happens whatever ran before, because a person asked for it. */
export async function noteRun(context: IExecuteFunctions, keys: string[]): Promise<void> {
	addKnown(context, keys);
	await mark(context, keys.flatMap(startOf));
	endWithRun(context, keys);
}
