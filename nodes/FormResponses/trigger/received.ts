import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ResponseEnvelope } from '../transport/types';

/** A response on its way from `webhook` or `trigger` to `execute`. */
export interface Received {
	envelope: ResponseEnvelope;
	/** Whether it was read from the API rather than delivered. */
	isRecovered: boolean;
	/** Whether another run began it, and has had the time to end. */
	isUnfinished?: boolean;
	/** How often it was emitted in vain. */
	tries?: number;
	/** When it was emitted, or delivered if it waited for the live hook, in milliseconds of n8n's clock. */
	emittedAt?: number;
	/** Whether it is the oldest that the API shows, so that older ones may be out of reach. */
	isOldestShown?: boolean;
	/** Whether it is as the service shows it, as its key did not prove what was delivered. */
	isShown?: boolean;
	/** Whether another n8n may have run it, or it predates the node's first publication. */
	isGuess?: boolean;
}

export const received = (item: Received): INodeExecutionData => ({
	json: { ...item } as unknown as IDataObject,
});

/**
 * Custom data of an execution: how many recovered responses came, and how many it output; and the positions of
 * those that another run began, and of those to emit again.
 */
export const REPORT = {
	arrived: 'arrivedResponses',
	passed: 'recoveredResponses',
	told: 'begunElsewhere',
	again: 'toEmitAgain',
} as const;
