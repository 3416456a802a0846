import { DataDeduplicationService } from 'n8n-core';
import type { ICheckProcessedContextData, IDataDeduplicator } from 'n8n-workflow';
import { UnexpectedError } from 'n8n-workflow';

type Check = IDataDeduplicator['checkProcessedAndRecord'];

const stores = new Map<string, unknown[]>();
let failures: Error[] = [];

const contextOf = (scope: string, { node, workflow }: ICheckProcessedContextData) =>
	`${workflow.id}/${scope === 'node' ? node?.id : ''}`;

/** The `entries` mode of n8n's store: new is what is not there yet; the oldest go first. */
const check: Check = async (items, scope, contextData, { mode, maxEntries }) => {
	if (mode !== 'entries') throw new UnexpectedError(`Mode ${mode} is not part of the tests`);
	const failure = failures.shift();
	if (failure) throw failure;
	const key = contextOf(scope, contextData);
	const known = stores.get(key) ?? [];
	// Reads, then writes: calls at the same time lose each other's entries, as they do in n8n.
	await Promise.resolve();
	const fresh = items.filter((item) => !known.includes(item));
	stores.set(key, [...known, ...fresh].slice(-(maxEntries ?? Infinity)));
	return { new: fresh, processed: items.filter((item) => known.includes(item)) };
};

const remove: IDataDeduplicator['removeProcessed'] = async (items, scope, contextData) => {
	const key = contextOf(scope, contextData);
	const known = stores.get(key) ?? [];
	await Promise.resolve();
	stores.set(
		key,
		known.filter((item) => !items.includes(item as string)),
	);
};

const notHere = async () => {
	throw new UnexpectedError('Not part of the tests');
};

void DataDeduplicationService.init({
	checkProcessedAndRecord: check,
	removeProcessed: remove,
	clearAllProcessedItems: notHere,
	getProcessedDataCount: notHere,
});

/** What n8n has recorded as processed, in all its stores. */
export const recorded = (): unknown[] => [...stores.values()].flat();

export function emptyStores(): void {
	stores.clear();
	failures = [];
}

/** Lets the next calls of the store fail. */
export function failStore(...errors: Error[]): void {
	failures = errors;
}
