import type { INodeExecutionData, IRun } from 'n8n-workflow';
import type { ResponseEnvelope } from '../../../../../../../nodes/FormResponses/transport/types';

/** A run of the workflow, and what became of it. */
export interface Run {
	items: INodeExecutionData[];
	/** Tells main how it ended; a delivery waits for no end. */
	tell?: (outcome: IRun | Error) => void;
	/** Whether the queue was lost with it, so that main never hears of it. */
	isLost?: boolean;
	killedAt?: number;
	/** When its process died, during the run or after it. */
	hostDiedAt?: number;
	endedAt?: number;
	/** When its process noted that it had lasted for ten seconds. */
	countsAsEndedAt?: number;
}

export interface Output {
	at: number;
	run: Run;
	/** Whether the store failed, so that it passed unasked. */
	isUnasked: boolean;
}

/** A response that somebody sent to the form, and what became of it. */
export interface Response {
	at: number;
	envelope: ResponseEnvelope;
	outputs: Output[];
	isSeen?: boolean;
	/** Whether main died with it, and no look has seen it since. */
	isForgotten?: boolean;
}
