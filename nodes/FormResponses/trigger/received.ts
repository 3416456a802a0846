import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ResponseEnvelope } from '../transport/types';

/** A response on its way from `webhook` or `trigger` to `execute`. */
export interface Received {
	envelope: ResponseEnvelope;
	/** Whether it was read from the API rather than delivered. */
	isRecovered: boolean;
	/** Whether it is the oldest that the API shows, so that older ones may be out of reach. */
	isOldestShown?: boolean;
	/** Whether it may predate the node's first publication. */
	isGuess?: boolean;
	/** Whether the live hook may deliver it to another process at the same time. */
	mayComeTwice?: boolean;
}

export const received = (item: Received): INodeExecutionData => ({
	json: { ...item } as unknown as IDataObject,
});

/** Custom data of an execution: how many recovered responses it output. */
export const RECOVERED = 'recoveredResponses';

/** Custom data: the positions of responses to emit again, as another process may be running them. */
export const UNDECIDED = 'undecidedResponses';
