import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { endWithin } from './transport/timeLimit';

/** n8n waits without end for a database whose connection died (n8n, deduplication-helper.ts). */
const ANSWER_MS = 10_000;
/** After so long, only the connection of a call may be dead. */
const DEAD_MS = 60_000;
/** A call that hangs holds one of n8n's two connections to PostgreSQL (n8n, database.config.ts). */
const MAX_CALLS = 2;

/** How long to wait before each further try, in milliseconds. */
const TAKE_BACK_AGAIN_MS = [200, 1_000];

/** When the calls began that have no answer yet. */
const begun: number[] = [];
const waiting: Array<() => Promise<unknown>> = [];

/**
 * Whether a call begins now, later or in vain. A process makes one call at a time: n8n's store reads, changes and
 * writes one row without a lock, so concurrent calls lose entries (n8n, deduplication-helper.ts).
 */
function turn(): 'now' | 'later' | 'never' {
	const ms = performance.now() - Math.max(...begun);
	if (ms > DEAD_MS && begun.length < MAX_CALLS) return 'now';
	return ms > ANSWER_MS ? 'never' : 'later';
}

function proceed() {
	if (waiting.length === 0 || turn() !== 'now') return;
	const began = performance.now();
	const end = () => {
		begun.splice(begun.indexOf(began), 1);
		proceed();
	};
	begun.push(began);
	void waiting.shift()!().then(end, end);
}

const oneByOne = async <Value>(call: () => Promise<Value>): Promise<Value> =>
	await new Promise((resolve) => {
		waiting.push(async () => {
			const answer = call();
			resolve(answer);
			await answer;
		});
		proceed();
	});

/** @param work not begun where it would only wait */
const inTime = async <Value>(work: () => Promise<Value>): Promise<Value> =>
	await endWithin(turn() === 'never' ? 0 : ANSWER_MS, undefined, work);

interface Call {
	keys: string[];
	resolve: (recorded: Promise<Set<string>>) => void;
}

/** Calls that wait, by node: they are made together. */
const together = new Map<string, Call[]>();

/** The error when two processes insert a node's first row (n8n, deduplication-helper.ts): nothing was written. */
const NOTHING_WRITTEN = /unique|duplicate key|already exists/i;

async function store(context: IExecuteFunctions, keys: string[], maxEntries: number) {
	const options = { mode: 'entries', maxEntries } as const;
	const call = async () => await context.helpers.checkProcessedAndRecord(keys, 'node', options);
	const { new: recorded } = await call().catch(async (error: Error) => {
		// After any other error the keys may be recorded, and a second try would report them as known.
		if (NOTHING_WRITTEN.test(error.message)) return await call();
		throw error;
	});
	return new Set(recorded as string[]);
}

async function recordAll(context: IExecuteFunctions, node: string, maxEntries: number) {
	const calls = together.get(node);
	if (calls === undefined) return;
	together.delete(node);
	const all = [...new Set(calls.flatMap((call) => call.keys))];
	const recorded = store(context, all, maxEntries);
	for (const { keys, resolve } of calls) {
		resolve(recorded.then((left) => new Set(keys.filter((key) => left.delete(key)))));
	}
	await recorded.catch(() => {});
}

/** @returns undefined, with a warning, if the store fails */
const ifAnswered = async (context: IExecuteFunctions, work: () => Promise<Set<string>>) =>
	await inTime(work).catch((error: Error) => {
		context.logger.warn(
			`The store of processed responses failed, so responses may run twice: ${error.message}`,
		);
		return undefined;
	});

/** Keys that stay would tell of runs that never were, so it is tried again before anybody else asks. */
async function takeBack(
	context: IExecuteFunctions,
	keys: string[],
	maxEntries: number,
	[waitMs, ...waits] = TAKE_BACK_AGAIN_MS,
): Promise<void> {
	try {
		await context.helpers.removeProcessed(keys, 'node', { mode: 'entries', maxEntries });
	} catch (error) {
		if (waitMs === undefined) throw error as Error;
		await sleep(waitMs);
		await takeBack(context, keys, maxEntries, waits);
	}
}

/**
 * Tells which keys are not recorded in the node's persistent store. n8n has no call for that, so it records them and
 * takes them back (n8n, deduplication-helper.ts).
 *
 * @param maxEntries how many keys the store keeps per node
 * @returns undefined if the store fails: then they may be recorded
 */
export async function tryToPeek(
	context: IExecuteFunctions,
	keys: string[],
	maxEntries: number,
): Promise<Set<string> | undefined> {
	const peek = async () => {
		const missing = await store(context, keys, maxEntries + keys.length);
		if (missing.size > 0) await takeBack(context, [...missing], maxEntries);
		return missing;
	};
	return await ifAnswered(context, async () => await oneByOne(peek));
}

/**
 * Records keys in the node's persistent store.
 *
 * @param maxEntries how many keys the store keeps per node; the oldest go first
 * @param patienceMs how long to wait for other calls to merge with: each store call is expensive
 * @returns the keys that were not recorded before; undefined if the store fails
 */
export async function tryToRecord(
	context: IExecuteFunctions,
	keys: string[],
	maxEntries: number,
	patienceMs = 0,
): Promise<Set<string> | undefined> {
	if (keys.length === 0) return new Set();
	const node = `${context.getWorkflow().id}/${context.getNode().id}`;
	const recorded = async () =>
		await new Promise<Set<string>>((resolve) => {
			together.set(node, [...(together.get(node) ?? []), { keys, resolve }]);
			const start = () => void oneByOne(async () => await recordAll(context, node, maxEntries));
			if (patienceMs > 0) void sleep(patienceMs).then(start);
			else start();
		});
	return await ifAnswered(context, recorded);
}

/** The number of keys in the store; undefined if the store fails. */
export async function countRecorded(context: IExecuteFunctions): Promise<number | undefined> {
	const count = async () =>
		await context.helpers.getProcessedDataCount('node', { mode: 'entries' });
	return await inTime(async () => await oneByOne(count)).catch(() => undefined);
}
