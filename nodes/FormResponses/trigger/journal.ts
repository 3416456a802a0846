import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { TriggerNodeContext } from './identity';
import { perNode } from './identity';
import { lock, whenUnlocked } from './locks';
import { mark, markDurably, sleepAbout } from './marks';
import { timing } from './timing';

/**
 * Marks of a response's run, in pairs: a start records the first pair, an end all. Marks are only ever added,
 * so the order in which processes write does not matter. Testing a mark also makes it, hence pairs: the first
 * is tested at once, the second after marks of other processes have arrived.
 * The end pairs also count takeovers of runs that n8n did not survive: each takeover, completed or interrupted,
 * uses one up.
 */
const pairsOf = (key: string) => [
	[`${key} started`, key],
	[`${key} ended`, `${key} finished`],
	...[2, 3].map((time) => [`${key} ended ${time}`, `${key} finished ${time}`]),
];

const PAIRS = pairsOf('').length;

const startOf = (key: string) => pairsOf(key)[0];
const endOf = (key: string) => pairsOf(key).flat();

/** Ten times what the API shows, and within the store's capacity including all marks. */
const RESPONSES = 250;

/** Keys of responses that ran, as far as this process knows. */
const ranOf = perNode(() => new Set<string>());

export const isKnown = (context: TriggerNodeContext, key: string): boolean =>
	ranOf(context).has(key);

/** Most recent last; of another node if `nodeId` is given. */
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

/** The marks that were missing; all if the store fails. */
async function newOf(context: IExecuteFunctions, marks: string[]): Promise<Set<string>> {
	const missing = marks.length > 0 ? await mark(context, marks) : undefined;
	return missing ?? new Set(marks);
}

const isCanceled = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;

/** How far a run got: it made the first mark of this pair, or was also the first with the second mark. */
interface Stop {
	level: number;
	isFirst: boolean;
}

/** Keyed by response. The next look continues there, and uses up no other pair. */
const stopsOf = perNode(() => new Map<string, Stop>());

/** The outcome for responses that another process may run. All others ran, or another run has them. */
interface Contest {
	/** This run has them. */
	won: string[];
	/** To be tried again when this run has ended. */
	undecided: string[];
}

/**
 * Decides which of these responses to run: those that nobody started, or whose run n8n did not survive. In
 * queue mode a worker may still run them after a restart of n8n's main process; it records the end soon.
 * Returns as soon as some are won, because another process takes over responses whose run does not end soon.
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

		// Longer than another process waits at the previous pair: it may have begun only now.
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

/** The pending record; cleared when written, so that a timer keeps no ended run in memory. */
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
	const unlock = lock(context, keys);
	const end: End = {
		record: async () => await markDurably(context, keys.flatMap(endOf)).finally(unlock),
	};
	// n8n reports no end of a waiting run, and before 2.33 no end at all. A shutdown waits for this callback, unless
	// n8n is killed (n8n-core, execution-lifecycle-hooks.ts, runHook).
	context.onExecutionFinish?.(async () => await recordOnce(end));
	void recordAfter(context.onExecutionFinish ? timing.shortRunMs : 0, end);
}

/**
 * Filters delivered responses that no run had. For the others n8n may not have survived the run, which only
 * recovery can tell.
 */
async function freshOf(context: IExecuteFunctions, keys: string[]): Promise<string[]> {
	if (keys.length === 0) return [];
	const recorded = await mark(context, keys.flatMap(startOf));
	const isFresh = (key: string) => recorded?.has(key) ?? true;
	keys.filter((key) => !isFresh(key)).forEach((key) => ranOf(context).delete(key));
	return keys.filter(isFresh);
}

export interface Begun {
	/** Keys of responses that no run had, or whose run n8n did not survive. */
	fresh: Set<string>;
	/** Keys to run again when this run has ended: another process may be running them. */
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
	if (cameLate.length > 0) void markDurably(context, cameLate.flatMap(endOf));
	if (fresh.length > 0) endWithRun(context, fresh);
	return { fresh: new Set(fresh), undecided: new Set(undecided) };
}

/**
 * Records that these responses start to run, and later that they ended.
 *
 * @param delivered keys that only this process has
 * @param uncertain keys that another process may have run, or may be running
 */
export async function startRun(
	context: IExecuteFunctions,
	delivered: string[],
	uncertain: string[],
): Promise<Begun> {
	// Known does not mean done: this process, or its run, may still be killed.
	for (let locked; (locked = whenUnlocked(context, uncertain)); ) await locked;
	const [certain, others] = [delivered, uncertain].map((keys) => [
		...new Set(keys.filter((key) => !isKnown(context, key))),
	]);
	// Before the store answers, so that one of two concurrent runs is dropped.
	addKnown(context, [...certain, ...others]);
	const unlock = lock(context, [...certain, ...others]);
	try {
		return await begin(context, certain, others);
	} finally {
		unlock();
	}
}

/** Records a run that a person asked for, whatever ran before. */
export async function recordRun(context: IExecuteFunctions, keys: string[]): Promise<void> {
	addKnown(context, keys);
	await mark(context, keys.flatMap(startOf));
	endWithRun(context, keys);
}
