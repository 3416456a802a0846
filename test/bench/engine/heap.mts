import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { GCProfiler } from 'node:v8';

const SAMPLES = 50;
/** V8 gives up compiled code and caches over several collections, which would count as if the run had freed it. */
const COLLECTIONS_BEFORE = 60;
const ANSWER = 'http.client.response.finish';

/** Bytes of live objects: what is used right after a full garbage collection. */
export function liveHeap(): number {
	if (!globalThis.gc) throw new Error('Start Node with --expose-gc.');
	globalThis.gc();
	return process.memoryUsage().heapUsed;
}

function settledHeap(): number {
	for (let time = 1; time < COLLECTIONS_BEFORE; time++) liveHeap();
	return liveHeap();
}

/** Measures the live heap fifty times while answers arrive; `sample` does at other moments. */
export function watchHeap(requests: number) {
	const before = settledHeap();
	const every = Math.max(1, Math.floor(requests / SAMPLES));
	let peak = 0;
	let answers = 0;

	function sample(): number {
		const above = liveHeap() - before;
		peak = Math.max(peak, above);
		return above;
	}

	function onAnswer() {
		answers += 1;
		if (answers % every === 0) sample();
	}
	subscribe(ANSWER, onAnswer);

	return {
		sample,
		end() {
			unsubscribe(ANSWER, onAnswer);
			return peak;
		},
	};
}

/** The most that is used while `run` goes on, garbage included. */
export async function peakWithGarbage(run: () => Promise<unknown>): Promise<number> {
	const before = liveHeap();
	const profiler = new GCProfiler();
	profiler.start();
	const result = await run();
	const collections = profiler.stop().statistics;
	const used = [
		process.memoryUsage().heapUsed,
		...collections.map(({ beforeGC }) => beforeGC.heapStatistics.usedHeapSize),
	];
	void result;
	return Math.max(...used) - before;
}
