import { identifiedResponse } from '../../transport/shapes';
import type { ResponseEnvelope } from '../../transport/types';

const EVENT = 'response.completed';

export interface Verdict {
	status: 200 | 400 | 403 | 410;
	/** For n8n's log. */
	reason: string;
	/** Whether the workflow runs. */
	runs: boolean;
}

export interface Delivery {
	body: unknown;
	/** Of its key; undefined without one. */
	generation: number | undefined;
	/** Of the live key. */
	liveGeneration: number;
	/** Whether n8n made its key. */
	isProven: boolean;
	formId: string | undefined;
	isPolling: boolean;
}

const refusal = (status: 400 | 403 | 410, reason: string): Verdict => ({
	status,
	reason,
	runs: false,
});

/** Decides how to answer a delivery. */
export function judge(delivery: Delivery): Verdict {
	const { body, generation, liveGeneration, isProven, formId, isPolling } = delivery;
	if (identifiedResponse(body) !== undefined) return refusal(400, 'it has another shape');
	// A polling node has no hook: only a leftover one can deliver.
	if (isPolling) return refusal(410, 'there is no subscription any more');
	if (generation === undefined) return refusal(403, 'it has no key');
	// Whoever has an old URL may have made it up; a look finds what is true.
	if (generation < liveGeneration)
		return refusal(410, 'its subscription was replaced by a newer one');
	if (!isProven) return refusal(403, 'its key is not known');
	const { data, event } = body as ResponseEnvelope;
	if (data.formId.toLowerCase() !== formId) return refusal(403, 'it is for another form');
	return event === EVENT
		? { status: 200, reason: 'the workflow runs', runs: true }
		: { status: 200, reason: 'it is not a completed response', runs: false };
}
