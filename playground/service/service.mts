import { createRateLimit } from './api/limits.mts';
import { createDeliveries } from './delivery.mts';
import { createFaultList } from './faults/fault-list.mts';
import { createRequestLog } from './request-log.mts';
import { defaultSettings } from './settings.mts';
import { openStore } from './store/store.mts';

export type Log = (line: string) => void;

/** Strictly increasing milliseconds, so that no two events share a time. */
function createClock(): () => number {
	let last = 0;
	return () => (last = Math.max(Date.now(), last + 1));
}

type Options = { data: string; validateResponses: boolean; log: Log };

export function createService({ data, validateResponses, log }: Options) {
	const store = openStore(data);
	const settings = structuredClone(defaultSettings);
	const closing = new AbortController();
	const deliveries = createDeliveries({ store, settings, closing: closing.signal });

	return {
		/** Known once it listens. */
		url: '',
		validateResponses,
		settings,
		store,
		clock: createClock(),
		rateLimit: createRateLimit(),
		requests: createRequestLog(),
		faults: createFaultList(),
		deliveries,
		closing: closing.signal,
		log,
		async close() {
			closing.abort();
			await deliveries.settled();
			store.close();
		},
	};
}

export type Service = ReturnType<typeof createService>;
