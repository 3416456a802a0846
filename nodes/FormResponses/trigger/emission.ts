import { createHash } from 'crypto';
import type { IRun, ITriggerFunctions } from 'n8n-workflow';
import { responseKey } from '../responseKey';
import type { ResponseEnvelope } from '../transport/types';
import { identityOf, perNode } from './identity';
import { addKnown } from './journal';
import { RECOVERED, received, UNDECIDED } from './received';
import { timing } from './timing';

/** n8n refuses an emit that waits for its run where a workflow runs on its coming engine. */
const REFUSES_TO_WAIT = /Engine 2/i;

/** How many responses a run put out; undefined where it did not come to that, or does not tell. */
function putOut({ data }: IRun): number | undefined {
	const count = data?.resultData?.metadata?.[RECOVERED];
	return count === undefined ? undefined : Number(count);
}

/** The responses whose run left them to another one. */
function undecidedOf(missed: ResponseEnvelope[], { data }: IRun): ResponseEnvelope[] {
	const positions = data?.resultData?.metadata?.[UNDECIDED]?.split(' ') ?? [];
	return missed.filter((_, index) => positions.includes(String(index)));
}

/**
 * Response keys of runs that have not ended, with the time until which they are believed in. A node
 * that is published while n8n starts it has two triggers for a while.
 */
const underWayOf = perNode(() => new Map<string, number>());

/** What is known of the look that found responses missing. */
export interface Look {
	/** The first of them is the oldest of as many responses as the API shows. */
	isOldestShown: boolean;
	/** They may be from before the node's first publication. */
	isGuess?: boolean;
	/** Of the subscription that they were missed by. */
	generation: number;
}

/**
 * Starts runs with responses that were read from the API.
 *
 * @param isAtWork whether n8n has neither closed nor replaced the trigger
 */
export function createEmission(context: ITriggerFunctions, isAtWork = () => true) {
	const underWay = underWayOf(context);
	let refusals = 0;

	/**
	 * n8n stores no second execution with the same deduplication key. So of two processes that run the
	 * same subscription at the same time, one is refused. What was refused, or failed, gets another key,
	 * and so does what still waits for its turn: n8n would delete that execution for the new one
	 * (`reclaimTombstone` in its execution-persistence.js).
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

	/** @returns how many of the responses the runs put out; undefined where that is not known */
	async function runAll(missed: ResponseEnvelope[], look: Look): Promise<number | undefined> {
		const ended = await run(missed, look);
		// n8n answers with no run where it refused the key.
		const hasEnded = ended !== undefined && !/^(canceled|crashed)$/.test(ended.status);
		const count = hasEnded ? putOut(ended) : undefined;
		if (!hasEnded || (count === undefined && ended.status !== 'success')) {
			refusals++;
			return undefined;
		}
		const undecided = undecidedOf(missed, ended);
		addKnown(context, missed.filter((one) => !undecided.includes(one)).map(responseKey));
		if (undecided.length === 0) return count;
		if (!isAtWork()) return undefined;
		const isOldestShown = look.isOldestShown && undecided[0] === missed[0];
		const others = await runAll(undecided, { ...look, isOldestShown });
		if (others !== undefined) return count! + others;
		return count! > 0 && !look.isOldestShown ? count : undefined;
	}

	return {
		isUnderWay: (key: string) => (underWay.get(key) ?? 0) > Date.now(),

		/**
		 * Starts a run, and waits until it ends. What n8n did not take, or did not survive, can be
		 * emitted again.
		 *
		 * @returns how many of the responses were put out; undefined where that is not known
		 */
		async emit(missed: ResponseEnvelope[], look: Look): Promise<number | undefined> {
			const keys = missed.map(responseKey);
			if (keys.some((key) => underWay.has(key))) refusals++;
			keys.forEach((key) => underWay.set(key, Date.now() + timing.emissionMs));
			try {
				return await runAll(missed, look);
			} catch (error) {
				refusals++;
				context.logger.warn(
					`A run with ${missed.length} responses could not be started or did not end, so they are looked for again: ${(error as Error).message}`,
				);
				return undefined;
			} finally {
				keys.forEach((key) => underWay.delete(key));
			}
		},
	};
}
