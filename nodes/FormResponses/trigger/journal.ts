import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { heldUntil, hold } from './atWork';
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

const PAIRS = pairsOf('').length;

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

/** Those of `marks` that were not there; all of them where the store fails. */
async function newOf(context: IExecuteFunctions, marks: string[]): Promise<Set<string>> {
	const missing = marks.length > 0 ? await mark(context, marks) : undefined;
	return missing ?? new Set(marks);
}

const isCanceled = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;

/** Where a run was stopped: it had made the first mark of this pair, or also been the first with the second. */
interface Stop {
	level: number;
	isFirst: boolean;
}

/** By response; the next look goes on there, and does not use up another pair. */
const stopsOf = perNode(() => new Map<string, Stop>());

/** What came of responses that another process may run; the others ran, or another run is at them. */
interface Contest {
	/** This run has them. */
	won: string[];
	/** To be asked again once this run has ended. */
	undecided: string[];
}

/**
 * Which responses that another process may have run have to run: nobody began, or n8n did not survive
 * the run. In queue mode a worker may still be at it, although n8n's main process was started again; it
 * records the end soon.
 *
 * Of several, those go on that need not wait longer: another process takes over what does not end soon.
 */
async function contend(context: IExecuteFunctions, keys: string[]): Promise<Contest> {
	const stops = stopsOf(context);
	const won = keys.filter((key) => stops.get(key)?.isFirst);
	const undecided = keys.filter((key) => !won.includes(key));
	for (let level = 0; won.length === 0 && level < PAIRS; level++) {
		const isStopped = (key: string) => stops.get(key)?.level === level;
		const markOf = (key: string, place: 0 | 1) => pairsOf(key)[level][place];
		const asked = undecided.filter((key) => !isStopped(key)).map((key) => markOf(key, 0));
		const atOnce = await newOf(context, asked);
		const waiting = undecided.filter((key) => isStopped(key) || atOnce.has(markOf(key, 0)));
		if (waiting.length === 0) continue;

		// Longer than whoever waits at the pair before, who may have begun only now.
		const takeOverMs = level * (timing.shortRunMs + 2 * timing.settleMs);
		await sleepAbout(level === 0 ? timing.settleMs : takeOverMs);
		if (isCanceled(context)) {
			waiting.forEach((key) => stops.set(key, { level, isFirst: false }));
			return { won, undecided };
		}
		const later = await newOf(
			context,
			waiting.map((key) => markOf(key, 1)),
		);
		for (const key of waiting) {
			const isFirst = later.has(markOf(key, 1));
			if (isFirst) won.push(key);
			if (isFirst) stops.set(key, { level, isFirst });
			if (isFirst || level > 0) undecided.splice(undecided.indexOf(key), 1);
		}
	}
	return { won, undecided: won.length > 0 ? undecided : [] };
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
	const release = hold(context, keys);
	const end: End = {
		record: async () => await markForGood(context, keys.flatMap(endOf)).finally(release),
	};
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

/** What a run of responses has to do. */
export interface Begun {
	/** Keys of those that no run had, or that n8n did not survive. */
	fresh: Set<string>;
	/** Keys of those that are to be run again once this run has ended: another process may be at them. */
	undecided: Set<string>;
}

async function begin(
	context: IExecuteFunctions,
	certain: string[],
	others: string[],
): Promise<Begun> {
	const forget = (keys: string[]) => keys.forEach((key) => ranOf(context).delete(key));
	const { won, undecided } = await contend(context, others);
	if (isCanceled(context)) {
		forget(others);
		return { fresh: new Set(), undecided: new Set() };
	}
	forget(undecided);
	const decided = others.filter((key) => !undecided.includes(key));
	decided.forEach((key) => stopsOf(context).delete(key));
	const cameLate = decided.filter((key) => !won.includes(key));
	const fresh = [...(await freshOf(context, certain)), ...won];
	if (cameLate.length > 0) void markForGood(context, cameLate.flatMap(endOf));
	if (fresh.length > 0) endWithRun(context, fresh);
	return { fresh: new Set(fresh), undecided: new Set(undecided) };
}

/**
 * Records that a run of these responses starts, and later that it ended.
 *
 * @param delivered keys of those that only this process gets now
 * @param uncertain keys of those that another process may have started to run, or may start now
 */
export async function startRun(
	context: IExecuteFunctions,
	delivered: string[],
	uncertain: string[],
): Promise<Begun> {
	// What is known here is not yet done: this process, or its run, may still be killed.
	for (let held; (held = heldUntil(context, uncertain)); ) await held;
	const [certain, others] = [delivered, uncertain].map((keys) => [
		...new Set(keys.filter((key) => !isKnown(context, key))),
	]);
	// Before the store answers, so that of two runs at the same time one is dropped.
	addKnown(context, [...certain, ...others]);
	const release = hold(context, [...certain, ...others]);
	try {
		return await begin(context, certain, others);
	} finally {
		release();
	}
}

/** Records a run that happens whatever ran before, because a person asked for it. */
export async function noteRun(context: IExecuteFunctions, keys: string[]): Promise<void> {
	addKnown(context, keys);
	await mark(context, keys.flatMap(startOf));
	endWithRun(context, keys);
}
