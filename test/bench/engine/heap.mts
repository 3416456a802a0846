import { subscribe, unsubscribe } from 'node:diagnostics_channel';

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

	function sample() {
		peak = Math.max(peak, liveHeap() - before);
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
