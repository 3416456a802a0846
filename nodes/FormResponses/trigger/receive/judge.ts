import { identifiedResponse } from '../../transport/shapes';
import type { ResponseEnvelope } from '../../transport/types';
import type { DeliveryToken, StoredKey } from '../state/deliveryToken';
import { findKey } from '../state/deliveryToken';
import type { TriggerState } from '../state/state';

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
	state: TriggerState | undefined;
	/** Of the live key. */
	generation: number;
	/** From the node's parameters. */
	formId: string | undefined;
	isPolling: boolean;
	/** Whether this process made the live subscription, and so knows every valid key. */
	isMadeHere: boolean;
}

export const isFor = (envelope: ResponseEnvelope, formId: string | undefined) =>
	envelope.data.formId.toLowerCase() === formId;

const replaced: Verdict = { status: 410, reason: 'its subscription was replaced by a newer one' };

function judgeKnown(envelope: ResponseEnvelope, key: StoredKey, delivery: Delivery): Verdict {
	const isCompletion = envelope.event === EVENT;
	if (key.generation < delivery.generation) {
		const isOurs = isFor(envelope, key.formId) && isFor(envelope, delivery.formId);
		// Whoever has an old URL may have made it up.
		return isOurs && isCompletion ? { ...replaced, runs: 'if found' } : replaced;
	}
	if (!isCompletion) return { status: 200, reason: 'it is not a completed response' };
	if (!isFor(envelope, key.formId)) return { status: 403, reason: 'it is for another form' };
	return { status: 200, reason: 'the workflow runs', runs: 'as delivered' };
}

/** Decides how to answer a delivery. */
export function judge(delivery: Delivery): Verdict {
	const { body, token, state, generation, formId, isPolling, isMadeHere } = delivery;
	if (identifiedResponse(body) !== undefined)
		return { status: 400, reason: 'it has another shape' };
	// A polling node has no hook: only a leftover one can deliver.
	if (isPolling) return { status: 410, reason: 'there is no subscription any more' };
	if (token === undefined) return { status: 403, reason: 'it has no key' };

	const envelope = body as ResponseEnvelope;
	const key = findKey(state?.keys ?? [], token);
	if (key) return judgeKnown(envelope, key, delivery);
	const isPossible = !isMadeHere && token.generation !== generation && isFor(envelope, formId);
	const refused: Verdict =
		token.generation < generation ? replaced : { status: 403, reason: 'its key is not known' };
	return isPossible ? { ...refused, runs: 'if found' } : refused;
}
