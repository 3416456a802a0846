const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const { setTimeout: sleep } = require('node:timers/promises');
const { describe } = require('./description');

/** @typedef {import('n8n-workflow').INodeExecutionData} Item */

const ANSWER = 'http.client.response.finish';
const SAMPLES = 20;
/** n8n frees what it used before over several collections; the run must not seem to have freed it. */
const COLLECTIONS_BEFORE = 3;

/** Megabytes of live objects: what is used right after a full garbage collection. */
function liveHeap() {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed / 1e6;
}

/** @type {((outputs: Item[]) => Record<string, number>) | undefined} */
let endWatch;

/** Measures the live heap twenty times while so many requests are answered. */
async function watch(/** @type {number} */ requests, /** @type {Item[]} */ inputs) {
	for (let time = 0; time < COLLECTIONS_BEFORE; time++) await sleep(100, liveHeap());
	const before = liveHeap();
	let peak = 0;
	let answers = 0;
	function onAnswer() {
		if (++answers % (requests / SAMPLES) === 0) peak = Math.max(peak, liveHeap() - before);
	}
	subscribe(ANSWER, onAnswer);

	endWatch = (outputs) => {
		unsubscribe(ANSWER, onAnswer);
		endWatch = undefined;
		const beforeCopies = liveHeap();
		const copies = [...inputs, ...outputs].map(({ json }) => JSON.parse(JSON.stringify(json)));
		const alone = liveHeap() - beforeCopies;
		return { 'MB at the peak': peak, 'MB alone': alone, items: copies.length };
	};
}

/**
 * Before a node it begins to watch the heap, and passes on its items. After the node it gives the most that
 * the run took, and what a copy of the items' JSON takes, of those that went in and came out.
 */
class Heap {
	description = describe('Heap', {
		properties: [{ displayName: 'Requests', name: 'requests', type: 'number', default: 0 }],
	});

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		const items = this.getInputData();
		if (endWatch) return [[{ json: endWatch(items) }]];
		await watch(Number(this.getNodeParameter('requests', 0)), items);
		return [items];
	}
}

module.exports = { Heap };
