import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { ResponseEnvelope } from './transport/types';

/** What makes two deliveries the same response: a response that is completed again counts as new. */
export const keyOf = ({ data }: ResponseEnvelope): string =>
	`${data.responseId} ${data.completedAt}`;

interface Waiting {
	keys: string[];
	resolve: (recorded: Set<string>) => void;
	reject: (error: Error) => void;
}

/**
 * Calls that wait for the store, by node. n8n's store reads, changes and writes one row without a
 * lock (n8n, deduplication-helper.ts), so that calls at the same time lose each other's entries. Those
 * of one process therefore go one after another, all that wait together.
 */
const queues = new Map<string, Waiting[]>();
const draining = new Set<string>();

/** The last call to the store, by node. */
const turns = new Map<string, Promise<unknown>>();

const nodeOf = (context: IExecuteFunctions) =>
	`${context.getWorkflow().id}/${context.getNode().id}`;

async function inTurn<Result>(
	context: IExecuteFunctions,
	call: () => Promise<Result>,
): Promise<Result> {
	const before = turns.get(nodeOf(context)) ?? Promise.resolve();
	const turn = before.then(call, call);
	turns.set(nodeOf(context), turn);
	return await turn;
}

async function store(context: IExecuteFunctions, keys: string[], maxEntries: number) {
	const record = async () =>
		await context.helpers.checkProcessedAndRecord(keys, 'node', { mode: 'entries', maxEntries });
	// The first insert of two processes collides; the second try finds the row.
	const { new: recorded } = await inTurn(context, async () => await record().catch(record));
	return new Set(recorded as string[]);
}

async function drain(context: IExecuteFunctions, node: string, maxEntries: number) {
	const queue = queues.get(node);
	if (queue === undefined || draining.has(node)) return;
	draining.add(node);
	while (queue.length > 0) {
		const batch = queue.splice(0);
		const keys = [...new Set(batch.flatMap((waiting) => waiting.keys))];
		try {
			const recorded = await store(context, keys, maxEntries);
			for (const waiting of batch) {
				const own = waiting.keys.filter((key) => recorded.delete(key));
				waiting.resolve(new Set(own));
			}
		} catch (error) {
			batch.forEach((waiting) => waiting.reject(error as Error));
		}
	}
	draining.delete(node);
	queues.delete(node);
}

/**
 * Records keys in the node's durable store.
 *
 * @param maxEntries how many keys the node remembers; the oldest are forgotten first
 * @param patienceMs how long to wait for another call to go along with, as each call to the store is dear
 * @returns the keys that were not recorded before
 * @throws what the store throws, after a second try
 */
export async function record(
	context: IExecuteFunctions,
	keys: string[],
	maxEntries: number,
	patienceMs = 0,
): Promise<Set<string>> {
	if (keys.length === 0) return new Set();
	const node = nodeOf(context);
	const queue = queues.get(node) ?? [];
	queues.set(node, queue);
	return await new Promise((resolve, reject) => {
		queue.push({ keys, resolve, reject });
		const start = () => void drain(context, node, maxEntries);
		if (patienceMs > 0) void sleep(patienceMs).then(start);
		else start();
	});
}

/** Forgets keys that were recorded. */
export async function forget(context: IExecuteFunctions, keys: string[]): Promise<void> {
	if (keys.length === 0) return;
	await inTurn(
		context,
		async () => await context.helpers.removeProcessed(keys, 'node', { mode: 'entries' }),
	);
}

/**
 * What `record` tells, or undefined where the store fails: the caller then lets all pass, because a
 * response is better run twice than never.
 */
export async function tryToRecord(
	context: IExecuteFunctions,
	keys: string[],
	maxEntries: number,
	patienceMs = 0,
): Promise<Set<string> | undefined> {
	try {
		return await record(context, keys, maxEntries, patienceMs);
	} catch (error) {
		context.logger.warn(
			`The store of processed responses failed, so responses may run twice: ${(error as Error).message}`,
		);
		return undefined;
	}
}
