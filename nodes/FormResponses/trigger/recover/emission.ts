import type { IRun, ITriggerFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { responseKey } from '../../transport/responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import { isToldInItem, OUT_OF_REACH } from '../oldestResponseWarning';
import type { Question, Received } from '../runInput';
import { received } from '../runInput';
import type { Memory } from '../state/memory';
import { addKnown } from '../state/memory';
import { tellFailure } from './failure';
import type { Look, Pending } from './pendingResponses';
import { emittedOf, nextOf, pendingOf, verdictsIn, wasLate } from './pendingResponses';

/** Workflows on n8n's coming engine reject an emit that waits for its run. */
const REFUSES_TO_WAIT = /Engine 2/i;

const keyOf = ({ envelope }: Pending) => responseKey(envelope);

const completedAt = ({ envelope }: Pending) => Date.parse(envelope.data.completedAt);

/** n8n complains of more characters in custom data (n8n-core, execution-metadata.ts). */
const MOST = 250;

/** What is to be emitted now, oldest first. */
const dueOf = (pending: Pending[], now: number): Pending[] =>
	pending
		.filter(({ dueAt }) => dueAt <= now)
		.sort((a, b) => completedAt(a) - completedAt(b))
		.slice(0, MOST);

function itemOf(due: Pending[], isQuestion: boolean): Received | Question {
	const items = due.map(({ envelope, isUnfinished, tries, isOldestShown, isGuess }) => {
		const about = { isUnfinished, tries, isOldestShown, isGuess, emittedAt: Date.now() };
		return { envelope, isRecovered: true, ...about };
	});
	const keyed = ({ envelope, ...about }: Received) => ({ ...about, key: responseKey(envelope) });
	return isQuestion ? { asked: items.map(keyed) } : items[0];
}

interface EmissionOptions {
	context: ITriggerFunctions;
	memory: Memory;
	/** Whether n8n has neither closed nor replaced the trigger. */
	isActive: () => boolean;
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
			// Nobody would hear the answer to a question.
			if (!('asked' in item)) context.emit(items);
			return { status: 'success' } as IRun;
		}
		// A time limit of the workflow also rejects a run that output its response.
		const what = 'A run could not be started or did not end, so what it was for is run again';
		if (!isOver()) context.logger.warn(`${what}: ${message}`);
		return undefined;
	}
}

/** Starts a run for each response that was read from the API, until each is known to be done. */
export function createEmission({ context, memory, isActive, onLate }: EmissionOptions) {
	const pending = new Map<string, Pending>();

	function plan(one: Pending) {
		pending.set(keyOf(one), one);
		// A timer may end up to two milliseconds before its time in the finer clock (seen in Node.js 20 and 24).
		void sleep(Math.max(0, one.dueAt - performance.now())).then(() => emitDue(one.dueAt));
	}

	/** What the item does not say, as somebody left it out. */
	function tellUnsaid() {
		if (isToldInItem(context)) return;
		tellFailure(context, OUT_OF_REACH, 'The workflow stays published, and ran for those found.');
	}

	/** Starts a run of one response, or one that answers a question about several. */
	async function emit(due: Pending[], at: number, isQuestion: boolean) {
		const emitted = due.map((one) => emittedOf(one, isQuestion, at));
		// Also what n8n tells no end of is emitted again: where its queue was lost.
		emitted.forEach(plan);
		const isOver = () => due.every((one) => memory.known.has(keyOf(one)));
		const outcome = await run(context, itemOf(due, isQuestion), isOver);
		const now = performance.now();
		verdictsIn(outcome, due, isQuestion).forEach((verdict, index) => {
			const [one, key] = [due[index], keyOf(due[index])];
			const latest = pending.get(key);
			const isLate = wasLate(outcome, one, verdict);
			// What a question was too late for, its own run tells.
			const isJudged = !isQuestion || latest === emitted[index];
			if (isLate !== undefined && isJudged) onLate(isLate);
			if (one.isOldestShown && verdict === 'pass') tellUnsaid();
			const next = nextOf(one, verdict, now);
			if (next === undefined) {
				addKnown(memory, [key]);
				pending.delete(key);
			} else if (latest === emitted[index] || (verdict === 'free' && latest?.isOut === false)) {
				plan(next);
			}
		});
	}

	/** @param now what time it is, or later, by the timer that ended */
	function emitDue(now: number) {
		for (const key of pending.keys()) if (memory.known.has(key)) pending.delete(key);
		const at = Math.max(performance.now(), now);
		const due = dueOf([...pending.values()], at);
		if (due.length === 0 || !isActive()) return;
		const doubtful = due.filter(({ mayBeOver }) => mayBeOver);
		const asked = doubtful.length > 1 ? doubtful : [];
		if (asked.length > 0) void emit(asked, at, true);
		for (const one of due) if (!asked.includes(one)) void emit([one], at, false);
	}

	return {
		isPending: (key: string) => pending.has(key),
		add: (found: ResponseEnvelope[], look: Look) =>
			pendingOf(found, look, memory, performance.now()).forEach(plan),
	};
}

export type Emission = ReturnType<typeof createEmission>;
