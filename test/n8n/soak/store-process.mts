// A process that records runs in n8n's own store of processed items, as a worker does. It is forked
// with the folder of an installed n8n and the package's built code for claims; messages are its only control.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StoreNode {
	workflowId: string;
	nodeId: string;
}

export interface Task {
	node: StoreNode;
	delivered?: string[];
	recovered?: string[];
}

interface Item {
	key: string;
	kind: 'delivered' | 'missed' | 'unfinished';
}

type Find = (options: object) => Promise<unknown>;

const [n8nFolder = '', claimPath = '', slownessMs] = process.argv.slice(2);
const send = (message: object) => void process.send?.(message);
const require = createRequire(join(n8nFolder, 'package.json'));
require('reflect-metadata');
const { Container } = require('@n8n/di');
const { DbConnection, ProcessedDataRepository } = require('@n8n/db');
const { DeduplicationHelper } = require('n8n/dist/deduplication/deduplication-helper.js');
const { claim, foresee, memoryOf } = require(claimPath);

const connection = Container.get(DbConnection);
await connection.init();

// n8n reads the row, changes it and writes it without a lock: the wider the gap, the more is erased.
const repository = Container.get(ProcessedDataRepository);
const findOne: Find = repository.findOne.bind(repository);
repository.findOne = async (options: object) => {
	const found = await findOne(options);
	await sleep(Math.random() * Number(slownessMs));
	return found;
};

const store = new DeduplicationHelper();
const contextOf = ({ workflowId, nodeId }: StoreNode) => {
	const [workflow, node] = [{ id: workflowId }, { id: nodeId }];
	return {
		getWorkflow: () => workflow,
		getNode: () => node,
		logger: { warn: (message: string) => send({ warning: message }) },
		getExecutionCancelSignal: () => undefined,
		onExecutionFinish: (callback: () => Promise<void>) => void sleep(300).then(callback),
		helpers: {
			checkProcessedAndRecord: async (items: string[], scope: string, options: object) =>
				await store.checkProcessedAndRecord(items, scope, { workflow, node }, options),
			removeProcessed: async (items: string[], scope: string, options: object) =>
				await store.removeProcessed(items, scope, { workflow, node }, options),
		},
	};
};

async function perform({ id, node, delivered = [], recovered = [] }: Task & { id: number }) {
	const context = contextOf(node);
	const memory = memoryOf(context);
	const passed: string[] = [];
	const keysOf = (items: Item[], verdicts: string[], verdict: string) =>
		items.filter((_, index) => verdicts[index] === verdict).map(({ key }) => key);
	/** @returns the keys that another run began */
	async function run(keys: string[], kind: Item['kind']): Promise<string[]> {
		const items = keys.map((key) => ({ key, kind }));
		const verdictOf = async (item: Item): Promise<string> => await claim(context, memory, item);
		const verdicts = await Promise.all(items.map(verdictOf));
		passed.push(...keysOf(items, verdicts, 'pass'));
		return keysOf(items, verdicts, 'told');
	}
	/** Asks about all together, and runs those that are free, as n8n's main process does. */
	async function recover(keys: string[], kind: Item['kind']): Promise<string[]> {
		if (keys.length === 0) return [];
		const items = keys.map((key) => ({ key, kind }));
		const verdicts: string[] = await foresee(context, memory, items);
		const begun = await run(keysOf(items, verdicts, 'free'), kind);
		return [...keysOf(items, verdicts, 'told'), ...begun];
	}
	await run(delivered, 'delivered');
	const told = await recover(recovered, 'missed');
	// As long as it waits until it asks again (`timing.unfinishedMs`).
	if (told.length > 0) await sleep(30_000);
	await recover(told, 'unfinished');
	send({ id, fresh: passed });
}

process.on('message', (task: Task & { id: number }) => void perform(task));
process.on('disconnect', () => process.exit());
send({ ready: true });
