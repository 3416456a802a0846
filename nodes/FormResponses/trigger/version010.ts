import type { DeliveryToken } from './deliveryToken';
import { toStoredKey } from './deliveryToken';
import type { Place, TriggerState } from './state';

/** The state as version 0.1.0 of this package stored it. */
interface StateOfVersion010 extends Place {
	hookId?: string;
	generation: number;
	since?: string;
	/** IDs of the responses that existed when polling began. */
	old: string[];
	keys: Array<DeliveryToken & { formId: string }>;
	stoppedAt?: number;
	isTest?: boolean;
}

export const isOfVersion010 = (data: object): data is StateOfVersion010 =>
	'old' in data && 'keys' in data && !('status' in data);

function statusOf({ since, stoppedAt, hookId }: StateOfVersion010): TriggerState['status'] {
	if (since === undefined || stoppedAt !== undefined) return 'stopped';
	return hookId === undefined ? 'polling' : 'subscribed';
}

export function fromVersion010(data: StateOfVersion010): TriggerState {
	const { formId, baseUrl, webhookUrl, hookId, generation, since, stoppedAt, isTest } = data;
	return {
		status: statusOf(data),
		formId,
		baseUrl,
		webhookUrl,
		generation,
		keys: data.keys.map((key) => toStoredKey(key, key.formId)),
		// All of `old` were completed at or before `since`.
		baseline: data.old.map((responseId) => `${responseId} ${since}`),
		...(hookId === undefined ? {} : { hookId }),
		...(since === undefined ? {} : { since }),
		...(stoppedAt === undefined ? {} : { stoppedAt }),
		...(isTest ? { isTest } : {}),
	};
}
