import { identifiedResponse } from '../../transport/shapes';
import type { ResponseEnvelope } from '../../transport/types';
import type { DeliveryToken, StoredKey } from '../state/deliveryToken';
import { isAmong } from '../state/deliveryToken';

const EVENT = 'response.completed';

export interface Verdict {
	status: 200 | 400 | 403 | 410;
	/** For n8n's log. */
	reason: string;
	/** Whether the workflow runs with what was delivered, or with what the service has of it. */
	runs?: 'as delivered' | 'if found';
}

export interface Delivery {
	body: unknown;
	token: DeliveryToken | undefined;
	/** The keys that n8n has stored. */
	keys: StoredKey[];
	/** Of the live key. */
	generation: number;
	formId: string | undefined;
	isPolling: boolean;
	/** Whether this process made the live subscription, and so knows every valid key. */
	isMadeHere: boolean;
}

export const isFor = ({ data }: ResponseEnvelope, formId: string | undefined) =>
	data.formId.toLowerCase() === formId;

const refusal = (status: 400 | 403 | 410, reason: string): Verdict => ({ status, reason });

/** Decides how to answer a delivery. */
export function judge(delivery: Delivery): Verdict {
	const { body, token, keys, generation, formId, isPolling, isMadeHere } = delivery;
	if (identifiedResponse(body) !== undefined) return refusal(400, 'it has another shape');
	// A polling node has no hook: only a leftover one can deliver.
	if (isPolling) return refusal(410, 'there is no subscription any more');
	if (token === undefined) return refusal(403, 'it has no key');
	// Whoever has an old URL may have made it up; a look finds what is true.
	if (token.generation < generation)
		return refusal(410, 'its subscription was replaced by a newer one');

	const unknown = refusal(403, 'its key is not known');
	const isKnown = isAmong(keys, token);
	if (!isKnown && (isMadeHere || token.generation === generation)) return unknown;
	const envelope = body as ResponseEnvelope;
	if (!isFor(envelope, formId)) return refusal(403, 'it is for another form');
	if (!isKnown) return { ...unknown, runs: 'if found' };
	return envelope.event === EVENT
		? { status: 200, reason: 'the workflow runs', runs: 'as delivered' }
		: { status: 200, reason: 'it is not a completed response' };
}
