import { createClock, type Clock } from './clock.mts';
import { createDeliveries, type Deliveries } from './delivery.mts';
import { createFaultList, type FaultList } from './faults/fault-list.mts';
import { createRateLimit, type RateLimit } from './rate-limit.mts';
import { createRequestLog, type RequestLog } from './request-log.mts';
import { defaultSettings, type Settings } from './settings.mts';
import { openStore, type Store } from './store/store.mts';

export type Log = (line: string) => void;

export type Service = {
	url: string;
	validateResponses: boolean;
	settings: Settings;
	store: Store;
	clock: Clock;
	rateLimit: RateLimit;
	requests: RequestLog;
	faults: FaultList;
	deliveries: Deliveries;
	closing: AbortSignal;
	log: Log;
	close: () => Promise<void>;
};

export type ServiceOptions = { data: string; validateResponses: boolean; log: Log };

export function createService({ data, validateResponses, log }: ServiceOptions): Service {
	const store = openStore(data);
	const settings = structuredClone(defaultSettings);
	const closing = new AbortController();
	const deliveries = createDeliveries({ store, settings, closing: closing.signal });

	return {
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
