// A process that records runs in n8n's own store of processed items, as a worker does. It is forked
// with the folder of an installed n8n and the package's built journal; messages are its only control.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [n8nFolder, journalPath, slownessMs] = process.argv.slice(2);
const require = createRequire(join(n8nFolder, 'package.json'));
require('reflect-metadata');
const { Container } = require('@n8n/di');
const { DbConnection, ProcessedDataRepository } = require('@n8n/db');
const { DeduplicationHelper } = require('n8n/dist/deduplication/deduplication-helper.js');
const { startRun } = require(journalPath);

const connection = Container.get(DbConnection);
await connection.init();

// n8n reads the row, changes it and writes it without a lock: the wider the gap, the more is erased.
const repository = Container.get(ProcessedDataRepository);
const findOne = repository.findOne.bind(repository);
repository.findOne = async (options) => {
	const found = await findOne(options);
	await sleep(Math.random() * Number(slownessMs));
	return found;
};

const store = new DeduplicationHelper();
const contextOf = ({ workflowId, nodeId }) => {
	const [workflow, node] = [{ id: workflowId }, { id: nodeId }];
	return {
		getWorkflow: () => workflow,
		getNode: () => node,
		logger: { warn: (message) => process.send({ warning: message }) },
		getExecutionCancelSignal: () => undefined,
		onExecutionFinish: (callback) => void sleep(100).then(callback),
		helpers: {
			checkProcessedAndRecord: async (items, scope, options) =>
				await store.checkProcessedAndRecord(items, scope, { workflow, node }, options),
		},
	};
};

process.on('message', async ({ id, node, delivered = [], recovered = [] }) => {
	const all = [];
	const run = async (...keys) => {
		const { fresh, undecided } = await startRun(contextOf(node), ...keys);
		all.push(...fresh);
		// As n8n's main process does with what a run leaves.
		if (undecided.size > 0) await run([], [...undecided]);
	};
	await run(delivered, recovered);
	process.send({ id, fresh: all });
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
