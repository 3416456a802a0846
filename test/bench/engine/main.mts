import { readFileSync } from 'node:fs';
import { liveHeap, peakWithGarbage, watchHeap } from './heap.mts';
import type { Job, Outcome } from './job.mts';
import { loadNode } from './run-node.mts';

const job = JSON.parse(readFileSync(0, 'utf8')) as Job;
const run = loadNode(job);

// Everything that is loaded at first use is there afterwards.
await run(job.inputIds);

const withGarbage = await peakWithGarbage(() => run(job.inputIds));

const heap = watchHeap(job.requests);
const items = await run(job.inputIds, () => heap.sample());
const atEnd = heap.sample();
const peak = heap.end();

const beforeCopy = liveHeap();
const copy = items.map((item) => JSON.parse(JSON.stringify(item)) as object);
const ofItems = liveHeap() - beforeCopy;

const outcome: Outcome = { items: copy.length, peak, atEnd, ofItems, peakWithGarbage: withGarbage };
process.stdout.write(`\n${JSON.stringify(outcome)}\n`, () => process.exit(0));
