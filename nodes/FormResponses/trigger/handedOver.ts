import type {
	IDataObject,
	INodeExecutionData,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { ResponseEnvelope } from '../transport/types';
import { identityOf } from './state';

/** A response on its way from `webhook` or `trigger` to `execute`, which shapes the output. */
export interface HandedOver {
	envelope: ResponseEnvelope;
	/** Read from the API rather than delivered. */
	isRecovered: boolean;
}

export function handOver(envelope: ResponseEnvelope, isRecovered: boolean): INodeExecutionData {
	return { json: { envelope: envelope as unknown as IDataObject, isRecovered } };
}

/** More than the 25 newest responses that recovery reads. */
const REMEMBERED = 200;

const byNode = new Map<string, Set<string>>();

/**
 * The responses that this process gave to n8n to run, by key. Saves recovery from starting runs
 * which would find that all of theirs already ran.
 */
export function handedOver(context: ITriggerFunctions | IWebhookFunctions) {
	const node = identityOf(context);
	const keys = byNode.get(node) ?? new Set<string>();
	byNode.set(node, keys);
	return {
		has: (key: string) => keys.has(key),
		add(key: string) {
			keys.add(key);
			const [oldest] = keys;
			if (keys.size > REMEMBERED) keys.delete(oldest);
		},
	};
}
