import type { IRun, ITriggerFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { responseKey, secondOf } from '../../transport/responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import type { Question, Received } from '../received';
import { received } from '../received';
import type { Memory } from '../state/memory';
import { addKnown, RESPONSES } from '../state/memory';
import { timing } from '../timing';
import type { Look, Pending } from './pending';
import { nextOf, pendingOf, verdictsIn, wasLate } from './pending';

/** Workflows on n8n's coming engine reject an emit that waits for its run. */
const REFUSES_TO_WAIT = /Engine 2/i;

const keyOf = ({ envelope }: Pending) => responseKey(envelope);

const completedAt = ({ envelope }: Pending) => Date.parse(envelope.data.completedAt);

/** What is to be emitted now, oldest first: no more than custom data has room for (n8n-core, execution-metadata.ts). */
const dueOf = (pending: Pending[], now: number): Pending[] =>
	pending
		.filter(({ dueAt }) => dueAt <= now)
		.sort((a, b) => completedAt(a) - completedAt(b))
		.slice(0, RESPONSES);

/** What was emitted, until there is news of it: the run may still wait in n8n's queue, so another takes nothing over. */
const emittedOf = (one: Pending, now: number): Pending => {
	const dueAt = now + timing.emissionMs;
	return { ...one, isUnfinished: false, mayBeOver: true, dueAt };
};

function receivedOf(one: Pending, guessBefore: number): Received {
	const { envelope, isUnfinished, tries, isOldestShown } = one;
	const isGuess = completedAt(one) < guessBefore || undefined;
	const about = { isUnfinished, tries, isOldestShown, isGuess };
	return { envelope, isRecovered: true, emittedAt: Date.now(), ...about };
}

interface EmissionOptions {
	context: ITriggerFunctions;
	memory: Memory;
	/** Whether n8n has neither closed nor replaced the trigger. */
	isActive: () => boolean;
	/** What was completed earlier may have run in another n8n. */
	guessUntil: () => string | undefined;
	/** @param isLate whether the hook failed to deliver a response */
	onLate: (isLate: boolean) => void;
}

/** Starts a run. @returns undefined if n8n did not run it, or cannot tell how it ended */
async function run(context: ITriggerFunctions, item: Received | Question, isOver: () => boolean) {
	const items = [[received(item)]];
	try {
		const done = context.helpers.createDeferredPromise<IRun>();
		context.emit(items, undefined, done);
		return (await done.promise) as IRun | undefined;
	} catch (error) {
		const { message } = error as Error;
		if (REFUSES_TO_WAIT.test(message)) {
			context.emit(items);
			return { status: 'success' } as IRun;
		}
		// A time limit of the workflow also rejects a run that output its response.
		const what = 'A run could not be started or did not end, so its response is looked for again';
		if (!isOver()) context.logger.warn(`${what}: ${message}`);
		return undefined;
	}
}

/** Starts a run for each response that was read from the API, until each is known to be done. */
export function createEmission({ context, memory, isActive, guessUntil, onLate }: EmissionOptions) {
	const pending = new Map<string, Pending>();
	// n8n would run the workflow with an empty item.
	const asksFirst = !context.getNode().alwaysOutputData;

	function plan(one: Pending) {
		pending.set(keyOf(one), one);
		// A timer may end up to two milliseconds before its time in the finer clock (seen in Node.js 20 and 24).
		void sleep(Math.max(0, one.dueAt - performance.now())).then(() => emitDue(one.dueAt));
	}

	/** Starts a run of one response, or one that answers a question about several. */
	async function emit(due: Pending[], at: number, isQuestion: boolean) {
		const emitted = due.map((one) => emittedOf(one, at));
		emitted.forEach((one) => pending.set(keyOf(one), one));
		const guessBefore = secondOf(guessUntil() ?? '');
		const items = due.map((one) => receivedOf(one, guessBefore));
		const isOver = () => due.every((one) => memory.known.has(keyOf(one)));
		const outcome = await run(context, isQuestion ? { asked: items } : items[0], isOver);
		const now = performance.now();
		verdictsIn(outcome, due, isQuestion).forEach((verdict, index) => {
			const [one, key] = [due[index], keyOf(due[index])];
			const isLate = wasLate(outcome, one, verdict);
			if (isLate !== undefined) onLate(isLate);
			const next = nextOf(one, verdict, now);
			if (next === undefined) {
				addKnown(memory, [key]);
				pending.delete(key);
			} else if (pending.get(key) === emitted[index]) plan(next);
		});
	}

	/**
	 * Also emits again what was emitted long ago: n8n tells no end where its queue was lost. Its queue keeps the order,
	 * so an answer comes after all runs that had been emitted before the question.
	 *
	 * @param atLeast what time it is, by the timer that ended
	 */
	function emitDue(atLeast = 0) {
		for (const key of pending.keys()) if (memory.known.has(key)) pending.delete(key);
		const now = Math.max(performance.now(), atLeast);
		const due = dueOf([...pending.values()], now);
		if (due.length === 0 || !isActive()) return;
		const doubtful = due.filter(({ mayBeOver }) => mayBeOver);
		const asked = asksFirst && doubtful.length > 1 ? doubtful : [];
		if (asked.length > 0) void emit(asked, now, true);
		for (const one of due) if (!asked.includes(one)) void emit([one], now, false);
		emitDue(atLeast);
	}

	return {
		isPending: (key: string) => pending.has(key),
		emitDue,
		add: (found: ResponseEnvelope[], look: Look) =>
			pendingOf(found, look, memory, performance.now()).forEach(plan),
	};
}

export type Emission = ReturnType<typeof createEmission>;
