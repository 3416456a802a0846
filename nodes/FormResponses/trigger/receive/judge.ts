import { identifiedResponse } from '../../transport/shapes';
import type { ResponseEnvelope } from '../../transport/types';

const EVENT = 'response.completed';

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

/** How to answer a delivery that starts no run, and why, for n8n's log. */
type Refusal = [status: 200 | 400 | 403 | 410, reason: string];

/** @returns undefined if the workflow runs */
export function judge(delivery: Delivery): Refusal | undefined {
	const { body, generation, liveGeneration, isProven, formId, isPolling } = delivery;
	if (identifiedResponse(body) !== undefined) return [400, 'it has another shape'];
	// A polling node has no hook: only a leftover one can deliver.
	if (isPolling) return [410, 'there is no subscription any more'];
	if (generation === undefined) return [403, 'it has no key'];
	// Whoever has an old URL may have made it up; a look finds what is true.
	if (generation < liveGeneration) return [410, 'its subscription was replaced by a newer one'];
	if (!isProven) return [403, 'its key is not known'];
	const { data, event } = body as ResponseEnvelope;
	if (data.formId.toLowerCase() !== formId) return [403, 'it is for another form'];
	return event === EVENT ? undefined : [200, 'it is not a completed response'];
}
