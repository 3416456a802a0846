import { createHash } from 'crypto';
import type { IRun, ITriggerFunctions } from 'n8n-workflow';
import { randomInt, sleep } from 'n8n-workflow';
import { responseKey } from '../../responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import { identityOf } from '../identity';
import { addKnown, isKnown } from '../known';
import { received } from '../received';
import { productionState } from '../storedState';
import { timing } from '../timing';
import type { Look, Pending } from './pending';
import { duesOf, fatesOf, lateIn, nextOf } from './pending';

/** Workflows on n8n's coming engine reject an emit that waits for its run. */
const REFUSES_TO_WAIT = /Engine 2/i;

const keyOf = ({ envelope }: Pending) => responseKey(envelope);

const completedAt = ({ envelope }: Pending) => Date.parse(envelope.data.completedAt);

interface Events {
	emitted(keys: string[]): void;
	/** @param late how many responses the hook failed to deliver */
	ended(late: number): void;
}

/**
 * Starts runs with responses that were read from the API, until each is known to be done.
 *
 * @param isActive whether n8n has neither closed nor replaced the trigger
 */
export function createEmission(context: ITriggerFunctions, isActive: () => boolean, on: Events) {
	const pending = new Map<string, Pending>();
	/** Another one in each life, so that a run asks for an end that no earlier emission asked for. */
	const turn = randomInt(3);
	let repetitions = 0;

	/**
	 * n8n rejects a second execution with the same deduplication key, so only one of two processes with the same
	 * subscription runs it. The key changes with each repetition: n8n would delete an execution that still waits
	 * for the new one (`reclaimTombstone` in its execution-persistence.js).
	 */
	const deduplicationKey = (keys: string[], generation: number) =>
		createHash('sha256')
			.update(JSON.stringify([identityOf(context), generation, repetitions, keys]))
			.digest('hex');

	/** @returns undefined if n8n rejected the key */
	async function run(due: Pending[]): Promise<IRun | undefined> {
		const { generation, isGuess } = productionState(context) ?? { generation: 0 };
		const items = due.map(({ envelope, isUnfinished, tries, isOldestShown }) =>
			received({
				envelope,
				isRecovered: true,
				...(isUnfinished && { isUnfinished }),
				turn,
				tries,
				isOldestShown,
				...(isGuess && { isGuess }),
			}),
		);
		const done = context.helpers.createDeferredPromise<IRun>();
		context.emit([items], undefined, done, deduplicationKey(due.map(keyOf), generation));
		try {
			return await done.promise;
		} catch (error) {
			if (!REFUSES_TO_WAIT.test((error as Error).message)) throw error as Error;
			context.emit([items]);
			return { status: 'success' } as IRun;
		}
	}

	function end(due: Pending[], outcome: IRun | undefined) {
		const fates = fatesOf(outcome, due);
		addKnown(context, due.filter((_, index) => fates[index] === 'over').map(keyOf));
		due.forEach((one, index) => {
			const key = keyOf(one);
			const next = nextOf(one, fates[index], Date.now());
			if (next === undefined) pending.delete(key);
			// Otherwise it was emitted again meanwhile.
			else if (pending.get(key)?.emission === one.emission) plan(key, next);
		});
		const late = lateIn(outcome, due);
		if (late !== undefined) on.ended(late);
	}

	function plan(key: string, one: Pending) {
		pending.set(key, one);
		void sleep(Math.max(0, one.dueAt - Date.now())).then(emitDue);
	}

	/** Also emits again what was emitted long ago: n8n tells no end where its queue was lost. */
	function emitDue() {
		for (const key of pending.keys()) if (isKnown(context, key)) pending.delete(key);
		const now = Date.now();
		const due = [...pending.values()].filter((one) => one.dueAt <= now);
		if (due.length === 0 || !isActive()) return;
		if (due.some(({ emission }) => emission !== undefined)) repetitions++;
		const emission = Symbol('emission');
		const emitted = due
			.map((one) => ({ ...one, emission, dueAt: now + timing.emissionMs }))
			.sort((a, b) => completedAt(a) - completedAt(b));
		emitted.forEach((one) => pending.set(keyOf(one), one));
		on.emitted(emitted.map(keyOf));
		run(emitted).then(
			(outcome) => end(emitted, outcome),
			(error: Error) => {
				end(emitted, undefined);
				// A time limit of the workflow also rejects a run that output them.
				if (emitted.every((one) => isKnown(context, keyOf(one)))) return;
				context.logger.warn(
					`A run with ${emitted.length} responses could not be started or did not end, so they are looked for again: ${error.message}`,
				);
			},
		);
	}

	return {
		isHandled: (key: string) => isKnown(context, key) || pending.has(key),
		isPending: (key: string) => pending.has(key),
		emitDue,

		/**
		 * @param found oldest first
		 * @param isOldestShown whether the first one is the oldest that the API shows
		 */
		add(found: ResponseEnvelope[], look: Look, isOldestShown: boolean) {
			const dues = duesOf(found, look);
			found.forEach((envelope, index) => {
				plan(responseKey(envelope), {
					envelope,
					dueAt: dues[index],
					isUnfinished: false,
					tries: 0,
					isOldestShown: isOldestShown && index === 0,
					isLate: !look.isPolling && !look.isFirst,
				});
			});
		},
	};
}
