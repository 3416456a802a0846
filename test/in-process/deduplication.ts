import { DataDeduplicationService } from 'n8n-core';
import type { ICheckProcessedContextData, IDataDeduplicator } from 'n8n-workflow';
import { UnexpectedError } from 'n8n-workflow';
import { sleepOnClock } from '../clock';

type Check = IDataDeduplicator['checkProcessedAndRecord'];

const stores = new Map<string, unknown[]>();
let failures: Error[] = [];
let latencyMs: (() => number) | undefined;
let calls = 0;

const contextOf = (scope: string, { node, workflow }: ICheckProcessedContextData) =>
	`${workflow.id}/${scope === 'node' ? node?.id : ''}`;

const takeTime = async () => await (latencyMs ? sleepOnClock(latencyMs()) : Promise.resolve());

/** The `entries` mode of n8n's store: new is what is not there yet; the oldest go first. */
const check: Check = async (items, scope, contextData, { mode, maxEntries }) => {
	if (mode !== 'entries') throw new UnexpectedError(`Mode ${mode} is not part of the tests`);
	calls++;
	const failure = failures.shift();
	if (failure) throw failure;
	const key = contextOf(scope, contextData);
	const known = stores.get(key) ?? [];
	// Reads, then writes: calls at the same time lose each other's entries, as they do in n8n.
	await takeTime();
	const fresh = items.filter((item) => !known.includes(item));
	stores.set(key, [...known, ...fresh].slice(-(maxEntries ?? Infinity)));
	return { new: fresh, processed: items.filter((item) => known.includes(item)) };
};

const notHere = async () => {
	throw new UnexpectedError('Not part of the tests');
};

void DataDeduplicationService.init({
	checkProcessedAndRecord: check,
	removeProcessed: notHere,
	clearAllProcessedItems: notHere,
	getProcessedDataCount: async (scope, contextData) => {
		const failure = failures.shift();
		if (failure) throw failure;
		return (stores.get(contextOf(scope, contextData)) ?? []).length;
	},
});

/** What n8n has recorded as processed, in all its stores. */
export const recorded = (): unknown[] => [...stores.values()].flat();

/** How often the store was called. */
export const storeCalls = (): number => calls;

export function emptyStores(): void {
	stores.clear();
	failures = [];
	latencyMs = undefined;
	calls = 0;
}

/** Lets the next calls of the store fail. */
export function failStore(...errors: Error[]): void {
	failures = errors;
}

/** Lets the store take its time between reading and writing, by the clock of the tests. */
export function slowStore(ms: () => number): void {
	latencyMs = ms;
}
