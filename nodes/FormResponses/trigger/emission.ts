import { createHash } from 'crypto';
import type { IRun, ITriggerFunctions } from 'n8n-workflow';
import { responseKey } from '../responseKey';
import type { ResponseEnvelope } from '../transport/types';
import { identityOf, perNode } from './identity';
import { addKnown } from './journal';
import { RECOVERED, received, UNDECIDED } from './received';
import { timing } from './timing';

/** Workflows on n8n's coming engine reject an emit that waits for its run. */
const REFUSES_TO_WAIT = /Engine 2/i;

/** The number of responses that a run output; undefined if it does not say. */
function outputCount({ data }: IRun): number | undefined {
	const count = data?.resultData?.metadata?.[RECOVERED];
	return count === undefined ? undefined : Number(count);
}

function undecidedOf(missed: ResponseEnvelope[], { data }: IRun): ResponseEnvelope[] {
	const positions = data?.resultData?.metadata?.[UNDECIDED]?.split(' ') ?? [];
	return missed.filter((_, index) => positions.includes(String(index)));
}

/**
 * Response keys of running emissions, with their expiry in milliseconds. Per node, because a node that is
 * published while n8n starts it has two triggers for a while.
 */
const runningOf = perNode(() => new Map<string, number>());

/** The look that found the responses. */
export interface Look {
	/** Whether the first response is the oldest that the API shows. */
	isOldestShown: boolean;
	/** Whether they may predate the node's first publication. */
	isGuess?: boolean;
	/** The generation of the subscription that missed them. */
	generation: number;
}

/**
 * Starts runs with responses that were read from the API.
 *
 * @param isActive whether n8n has neither closed nor replaced the trigger
 */
export function createEmission(context: ITriggerFunctions, isActive = () => true) {
	const running = runningOf(context);
	let refusals = 0;

	/**
	 * n8n rejects a second execution with the same deduplication key, so only one of two processes with the same
	 * subscription runs it. The key changes after a rejection or failure, and while an earlier emission of the
	 * same responses still waits: n8n would delete that execution for the new one (`reclaimTombstone` in its
	 * execution-persistence.js).
	 */
	const deduplicationKey = (keys: string[], generation: number) =>
		createHash('sha256')
			.update(JSON.stringify([identityOf(context), generation, refusals, keys]))
			.digest('hex');

	async function run(missed: ResponseEnvelope[], { isOldestShown, isGuess, generation }: Look) {
		const items = missed.map((envelope, index) =>
			received({
				envelope,
				isRecovered: true,
				isOldestShown: isOldestShown && index === 0,
				...(isGuess && { isGuess }),
			}),
		);
		const done = context.helpers.createDeferredPromise<IRun>();
		const key = deduplicationKey(missed.map(responseKey), generation);
		context.emit([items], undefined, done, key);
		try {
			return await done.promise;
		} catch (error) {
			if (!REFUSES_TO_WAIT.test((error as Error).message)) throw error as Error;
			context.emit([items]);
			return undefined;
		}
	}

	/** @returns how many responses were output; undefined if unknown */
	async function runAll(missed: ResponseEnvelope[], look: Look): Promise<number | undefined> {
		const ended = await run(missed, look);
		// n8n returns no run if it rejected the key.
		const hasEnded = ended !== undefined && !/^(canceled|crashed)$/.test(ended.status);
		const count = hasEnded ? outputCount(ended) : undefined;
		if (!hasEnded || (count === undefined && ended.status !== 'success')) {
			refusals++;
			return undefined;
		}
		const undecided = undecidedOf(missed, ended);
		addKnown(context, missed.filter((one) => !undecided.includes(one)).map(responseKey));
		if (undecided.length === 0) return count;
		if (!isActive()) return undefined;
		const isOldestShown = look.isOldestShown && undecided[0] === missed[0];
		const others = await runAll(undecided, { ...look, isOldestShown });
		if (others !== undefined) return count! + others;
		return count! > 0 && !look.isOldestShown ? count : undefined;
	}

	return {
		isRunning: (key: string) => (running.get(key) ?? 0) > Date.now(),

		/**
		 * Starts a run and waits for its end. Responses that n8n rejected or lost can be emitted again.
		 *
		 * @returns how many responses were output; undefined if unknown
		 */
		async emit(missed: ResponseEnvelope[], look: Look): Promise<number | undefined> {
			const keys = missed.map(responseKey);
			if (keys.some((key) => running.has(key))) refusals++;
			keys.forEach((key) => running.set(key, Date.now() + timing.emissionMs));
			try {
				return await runAll(missed, look);
			} catch (error) {
				refusals++;
				context.logger.warn(
					`A run with ${missed.length} responses could not be started or did not end, so they are looked for again: ${(error as Error).message}`,
				);
				return undefined;
			} finally {
				keys.forEach((key) => running.delete(key));
			}
		},
	};
}
