import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ResponseEnvelope } from '../transport/types';

/** A response on its way from `webhook` or `trigger` to `execute`, which shapes the output. */
export interface Received {
	envelope: ResponseEnvelope;
	/** Read from the API rather than delivered. */
	isRecovered: boolean;
	/** The oldest of as many as the API shows: there may be older ones out of its reach. */
	isOldestShown?: boolean;
	/** Read although it may be from before the node's first publication. */
	isGuess?: boolean;
	/** Not by the live hook, which may deliver it at the same instant to another process. */
	mayComeTwice?: boolean;
}

export const received = (item: Received): INodeExecutionData => ({
	json: { ...item } as unknown as IDataObject,
});

/** The custom data of an execution that tells how many of its responses were read from the API and put out. */
export const RECOVERED = 'recoveredResponses';

/** And which of them, by position, are to be emitted again, because another process may be at them. */
export const UNDECIDED = 'undecidedResponses';
