import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { endWithin } from './transport/timeLimit';

/** n8n waits without end for a database whose connection died (n8n, deduplication-helper.ts). */
const STORE_MS = 10_000;

const inTime = async <Value>(work: () => Promise<Value>): Promise<Value> =>
	await endWithin(STORE_MS, undefined, work);

interface Call {
	keys: string[];
	resolve: (recorded: Promise<Set<string>>) => void;
}

interface Queue {
	calls: Call[];
	isBusy: boolean;
}

/**
 * Pending calls by node. n8n's store reads, changes and writes one row without a lock, so concurrent calls lose
 * entries (n8n, deduplication-helper.ts). A process therefore makes one call at a time, and merges those that
 * wait. A call that nobody waits for any more keeps its turn: it holds one of n8n's two connections to PostgreSQL.
 */
const queues = new Map<string, Queue>();

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

async function drain(context: IExecuteFunctions, node: string, maxEntries: number) {
	const queue = queues.get(node);
	if (queue === undefined || queue.isBusy) return;
	queue.isBusy = true;
	while (queue.calls.length > 0) {
		const calls = queue.calls.splice(0);
		const all = [...new Set(calls.flatMap((call) => call.keys))];
		const recorded = store(context, all, maxEntries);
		for (const { keys, resolve } of calls) {
			resolve(recorded.then((left) => new Set(keys.filter((key) => left.delete(key)))));
		}
		await recorded.catch(() => {});
	}
	queues.delete(node);
}

/**
 * Records keys in the node's persistent store. Keys are never removed, because another process may be writing.
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
	const queue = queues.get(node) ?? { calls: [], isBusy: false };
	queues.set(node, queue);
	const recorded = async () =>
		await new Promise<Set<string>>((resolve) => {
			queue.calls.push({ keys, resolve });
			const start = () => void drain(context, node, maxEntries);
			if (patienceMs > 0) void sleep(patienceMs).then(start);
			else start();
		});
	return await inTime(recorded).catch((error: Error) => {
		context.logger.warn(
			`The store of processed responses failed, so responses may run twice: ${error.message}`,
		);
		return undefined;
	});
}

/** The number of keys in the store; undefined if the store fails. */
export async function countRecorded(context: IExecuteFunctions): Promise<number | undefined> {
	const { helpers } = context;
	const count = async () => await helpers.getProcessedDataCount('node', { mode: 'entries' });
	return await inTime(count).catch(() => undefined);
}
