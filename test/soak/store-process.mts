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
const { claim, memoryOf } = require(claimPath);

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
		},
	};
};

async function perform({ id, node, delivered = [], recovered = [] }: Task & { id: number }) {
	const context = contextOf(node);
	const passed: string[] = [];
	/** @returns the keys that another run began */
	async function run(items: Item[]): Promise<string[]> {
		const verdictOf = async (item: Item) => await claim(context, memoryOf(context), item);
		const verdicts = await Promise.all(items.map(verdictOf));
		const keysOf = (verdict: string) =>
			items.filter((_, index) => verdicts[index] === verdict).map(({ key }) => key);
		passed.push(...keysOf('pass'));
		return keysOf('told');
	}
	await run(delivered.map((key) => ({ key, kind: 'delivered' })));
	const told = await run(recovered.map((key) => ({ key, kind: 'missed' })));
	// As n8n's main process does with what a run tells (`timing.unfinishedMs`).
	if (told.length > 0) await sleep(30_000);
	await run(told.map((key) => ({ key, kind: 'unfinished' })));
	send({ id, fresh: passed });
}

process.on('message', (task: Task & { id: number }) => void perform(task));
process.on('disconnect', () => process.exit());
send({ ready: true });
