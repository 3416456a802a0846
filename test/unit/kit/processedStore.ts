import { DataDeduplicationService } from 'n8n-core';
import {
	sleep,
	UnexpectedError,
	type ICheckProcessedContextData,
	type ICheckProcessedOptions,
	type IDataDeduplicator,
} from 'n8n-workflow';

const stores = new Map<string, unknown[]>();
let failures: Array<Error | undefined> = [];
let latencyMs: (() => number) | undefined;
let calls = 0;

function keyOf(
	scope: string,
	{ node, workflow }: ICheckProcessedContextData,
	{ mode }: ICheckProcessedOptions,
) {
	// The other modes keep the latest entry only (n8n, deduplication-helper.ts).
	if (mode !== 'entries') throw new UnexpectedError(`The store was asked in the mode "${mode}".`);
	return `${workflow.id}/${scope === 'node' ? node?.id : ''}`;
}

function failOnce() {
	const failure = failures.shift();
	if (failure) throw failure;
}

/** What is recorded, some time before it is written: calls at the same time lose each other's entries, as in n8n. */
async function begin(key: string): Promise<unknown[]> {
	calls++;
	failOnce();
	const known = stores.get(key) ?? [];
	await (latencyMs && sleep(latencyMs()));
	return known;
}

/** The `entries` mode of n8n's store: new is what is not there yet; the oldest go first. */
const store: Partial<IDataDeduplicator> = {
	async checkProcessedAndRecord(items, scope, about, options) {
		const { maxEntries = Infinity } = options;
		const key = keyOf(scope, about, options);
		const known = await begin(key);
		const fresh = items.filter((item) => !known.includes(item));
		stores.set(key, [...known, ...fresh].slice(-maxEntries));
		return { new: fresh, processed: items.filter((item) => known.includes(item)) };
	},
	async removeProcessed(items: unknown[], scope, about, options) {
		const key = keyOf(scope, about, options);
		const known = await begin(key);
		const kept = known.filter((item) => !items.includes(item));
		stores.set(key, kept);
	},
	async getProcessedDataCount(scope, about, options) {
		failOnce();
		return (stores.get(keyOf(scope, about, options)) ?? []).length;
	},
};

void DataDeduplicationService.init(store as IDataDeduplicator);

/** What n8n has recorded as processed, in all its stores. */
export const recorded = (): unknown[] => [...stores.values()].flat();

/** Records what another process does. */
export const record = (item: string) => stores.forEach((items) => items.push(item));

/** How often the store was called. */
export const storeCalls = (): number => calls;

export function emptyStores(): void {
	stores.clear();
	failures = [];
	latencyMs = undefined;
	calls = 0;
}

/** Lets the next calls of the store fail; undefined: succeed. */
export const failStore = (...errors: Array<Error | undefined>) => void (failures = errors);

/** Lets the store take its time between reading and writing, by the clock of the tests; undefined: no time. */
export const slowStore = (ms: typeof latencyMs) => void (latencyMs = ms);
