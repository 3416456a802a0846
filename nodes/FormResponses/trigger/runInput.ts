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

/** A response by its key: a question is no place for answers. */
export type Keyed = Omit<Received, 'envelope'> & { key: string };

/** Starts a run that outputs nothing: it tells which of these responses still have to run. */
export interface Question {
	asked: Keyed[];
}

export const received = (item: Received | Question): INodeExecutionData => ({
	json: { ...item } as unknown as IDataObject,
});

/**
 * - `pass`: this run outputs it.
 * - `free`: nobody has it, says the answer to a question.
 * - `done`: another run has output it.
 * - `told`: another run has begun it, and may still be killed.
 * - `again`: to be emitted again.
 */
export const VERDICTS = ['pass', 'free', 'done', 'told', 'again'] as const;

export type Verdict = (typeof VERDICTS)[number];

/**
 * Custom data of an execution: the first letters of the verdicts on its recovered responses. In queue mode, it is all
 * that n8n passes from a run to the main process (n8n, workflow-runner.ts, enqueueExecution).
 */
export const REPORT = 'responseVerdicts';
