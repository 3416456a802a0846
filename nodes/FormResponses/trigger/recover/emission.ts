import type { IRun, ITriggerFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { responseKey, secondOf } from '../../transport/responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import { received } from '../received';
import type { Memory } from '../state/memory';
import { addKnown } from '../state/memory';
import { timing } from '../timing';
import type { Look, Pending } from './pending';
import { fatesOf, lateIn, nextOf, waitsOf } from './pending';

/** Workflows on n8n's coming engine reject an emit that waits for its run. */
const REFUSES_TO_WAIT = /Engine 2/i;

/** Positions of more would not fit into custom data, which n8n cuts off (n8n-core, execution-metadata.ts). */
const AT_ONCE = 50;

const keyOf = ({ envelope }: Pending) => responseKey(envelope);

const completedAt = ({ envelope }: Pending) => Date.parse(envelope.data.completedAt);

/** What is to be emitted now, oldest first. */
const dueOf = (pending: Pending[], now: number): Pending[] =>
	pending
		.filter(({ dueAt }) => dueAt <= now)
		.sort((a, b) => completedAt(a) - completedAt(b))
		.slice(0, AT_ONCE);

/** What was emitted, until there is news of it: the run may still wait in n8n's queue, so another takes nothing over. */
const emittedOf = (due: Pending[], now: number): Pending[] =>
	due.map((one) => ({ ...one, isUnfinished: false, dueAt: now + timing.emissionMs }));

interface EmissionOptions {
	context: ITriggerFunctions;
	memory: Memory;
	/** Whether n8n has neither closed nor replaced the trigger. */
	isActive: () => boolean;
	/** What was completed earlier may have run in another n8n. */
	guessUntil: () => string | undefined;
	/** @param late how many responses the hook failed to deliver */
	onEnded: (late: number) => void;
}

/** @returns undefined if n8n did not run it, or cannot tell how it ended */
async function run({ context, memory, guessUntil }: EmissionOptions, due: Pending[]) {
	const until = secondOf(guessUntil() ?? '');
	const emittedAt = Date.now();
	const items = due.map((one) => {
		const { envelope, isUnfinished, tries, isOldestShown } = one;
		const isGuess = completedAt(one) < until || undefined;
		const about = { isUnfinished, tries, emittedAt, isOldestShown, isGuess };
		return received({ envelope, isRecovered: true, ...about });
	});
	try {
		const done = context.helpers.createDeferredPromise<IRun>();
		context.emit([items], undefined, done);
		return (await done.promise) as IRun | undefined;
	} catch (error) {
		const { message } = error as Error;
		if (REFUSES_TO_WAIT.test(message)) {
			context.emit([items]);
			return { status: 'success' } as IRun;
		}
		// A time limit of the workflow also rejects a run that output them.
		const areKnown = due.every((one) => memory.known.has(keyOf(one)));
		const what = `A run with ${due.length} responses could not be started or did not end`;
		if (!areKnown) context.logger.warn(`${what}, so they are looked for again: ${message}`);
		return undefined;
	}
}

/** Starts runs with responses that were read from the API, until each is known to be done. */
export function createEmission(options: EmissionOptions) {
	const { memory, isActive, onEnded } = options;
	const pending = new Map<string, Pending>();

	function plan(one: Pending) {
		pending.set(keyOf(one), one);
		// A timer may end up to two milliseconds before its time in the finer clock (seen in Node.js 20 and 24).
		void sleep(Math.max(0, one.dueAt - performance.now())).then(() => emitDue(one.dueAt));
	}

	async function emit(due: Pending[], at: number) {
		const emitted = emittedOf(due, at);
		emitted.forEach((one) => pending.set(keyOf(one), one));
		const outcome = await run(options, due);
		const fates = fatesOf(outcome, due);
		const now = performance.now();
		due.forEach((one, index) => {
			const key = keyOf(one);
			const next = nextOf(one, fates[index], now);
			const isLatest = pending.get(key) === emitted[index];
			if (next === undefined) {
				addKnown(memory, [key]);
				pending.delete(key);
			} else if (isLatest) plan(next);
		});
		const late = lateIn(outcome, due);
		if (late !== undefined) onEnded(late);
	}

	/**
	 * Also emits again what was emitted long ago: n8n tells no end where its queue was lost.
	 *
	 * @param atLeast what time it is, by the timer that ended
	 */
	function emitDue(atLeast = 0) {
		for (const key of pending.keys()) if (memory.known.has(key)) pending.delete(key);
		const now = Math.max(performance.now(), atLeast);
		const due = dueOf([...pending.values()], now);
		if (due.length === 0 || !isActive()) return;
		void emit(due, now);
		emitDue(atLeast);
	}

	return {
		isPending: (key: string) => pending.has(key),
		emitDue,
		/** Of what was found, oldest first. @param isOldestShown whether the API shows none that is older */
		add(found: ResponseEnvelope[], look: Look, isOldestShown: boolean) {
			const now = performance.now();
			const waits = waitsOf(found, look);
			const isJudged = !look.isPolling && !look.isFirst;
			found.forEach((envelope, index) => {
				const dueAt = now + waits[index];
				const isLate = isJudged && !memory.taken.has(responseKey(envelope));
				const isOldest = isOldestShown && index === 0;
				const about = { isUnfinished: false, tries: 0, isOldestShown: isOldest };
				plan({ envelope, dueAt, isLate, ...about });
			});
		},
	};
}

export type Emission = ReturnType<typeof createEmission>;
