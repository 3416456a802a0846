import { readFileSync } from 'node:fs';
import { liveHeap, watchHeap } from './heap.mts';
import type { Job, Outcome } from './job.mts';
import { loadNode } from './run-node.mts';

const job = JSON.parse(readFileSync(0, 'utf8')) as Job;
const run = loadNode(job);
/** What other nodes gave is not the node's. */
const input = job.inputIds.map((id, index) => ({ json: { id }, pairedItem: { item: index } }));

// Everything that is loaded at first use is there afterwards. V8's interpreter would keep what it gives.
await run(input).then(() => {});

const heap = watchHeap(job.requests);
const items = await run(input, () => heap.sample());
heap.sample();
const peak = heap.end();

const beforeCopy = liveHeap();
const copies = [
	items.map((item) => JSON.parse(JSON.stringify(item)) as object),
	// n8n gives the node such a copy of its input items.
	input.map(({ json, pairedItem }) => ({ json: { ...json }, pairedItem: { ...pairedItem } })),
];
const ofItems = liveHeap() - beforeCopy;

void copies;
const outcome: Outcome = { items: items.length, peak, ofItems };
process.stdout.write(`\n${JSON.stringify(outcome)}\n`, () => process.exit(0));
