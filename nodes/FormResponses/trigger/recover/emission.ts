import { createHash } from 'crypto';
import type { IRun, ITriggerFunctions } from 'n8n-workflow';
import { randomInt, sleep } from 'n8n-workflow';
import { responseKey } from '../../responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import { identityOf } from '../state/identity';
import { addKnown, isKnown } from '../state/known';
import { received } from '../received';
import { isGuessed } from '../state/state';
import { productionState } from '../state/storedState';
import { wasTaken } from '../state/taken';
import { timing } from '../timing';
import type { Look, Pending } from './pending';
import { fatesOf, lateIn, nextOf, waitsOf } from './pending';

/** Workflows on n8n's coming engine reject an emit that waits for its run. */
const REFUSES_TO_WAIT = /Engine 2/i;

/** Positions of more would not fit into custom data, which n8n cuts off (n8n-core, execution-metadata.ts). */
const AT_ONCE = 50;

const keyOf = ({ envelope }: Pending) => responseKey(envelope);

const completedAt = ({ envelope }: Pending) => Date.parse(envelope.data.completedAt);

interface Emission {
	context: ITriggerFunctions;
	/** What `identityOf` gives. */
	node: string;
	/** Whether n8n has neither closed nor replaced the trigger. */
	isActive: () => boolean;
	/** @param late how many responses the hook failed to deliver */
	onEnded: (late: number) => void;
	pending: Map<string, Pending>;
	/** Another one in each life, so that a run asks for an end that no earlier emission asked for. */
	turn: number;
	repetitions: number;
}

/**
 * n8n rejects a second execution with the same deduplication key, so only one of two processes with the same
 * subscription runs it. The key changes with each repetition: n8n would delete an execution that still waits for
 * the new one (`reclaimTombstone` in its execution-persistence.js).
 */
const deduplicationKey = (...parts: unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** @returns undefined if n8n rejected the key */
async function run({ context, node, turn, repetitions }: Emission, due: Pending[]) {
	const state = productionState(context);
	const items = due.map((one) => {
		const { envelope, isUnfinished, tries, isOldestShown } = one;
		const isGuess = state && isGuessed(state, completedAt(one));
		const about = { isUnfinished, turn, tries, isOldestShown, isGuess };
		return received({ envelope, isRecovered: true, ...about });
	});
	const done = context.helpers.createDeferredPromise<IRun>();
	const key = deduplicationKey(node, state?.generation, repetitions, due.map(keyOf));
	context.emit([items], undefined, done, key);
	try {
		return (await done.promise) as IRun | undefined;
	} catch (error) {
		if (!REFUSES_TO_WAIT.test((error as Error).message)) throw error as Error;
		context.emit([items]);
		return { status: 'success' } as IRun;
	}
}

function plan(emission: Emission, one: Pending) {
	emission.pending.set(keyOf(one), one);
	void sleep(Math.max(0, one.dueAt - performance.now())).then(() => emitDue(emission));
}

function end(emission: Emission, due: Pending[], outcome: IRun | undefined) {
	const { node, pending, onEnded } = emission;
	const fates = fatesOf(outcome, due);
	const over = due.filter((_, index) => fates[index] === 'over').map(keyOf);
	addKnown(node, over);
	over.forEach((key) => pending.delete(key));
	due.forEach((one, index) => {
		const next = nextOf(one, fates[index], performance.now());
		// Otherwise it was emitted again meanwhile.
		if (next && pending.get(keyOf(one))?.emission === one.emission) plan(emission, next);
	});
	const late = lateIn(outcome, due);
	if (late !== undefined) onEnded(late);
}

async function emit(emission: Emission, due: Pending[]) {
	const { context, node } = emission;
	try {
		end(emission, due, await run(emission, due));
	} catch (error) {
		end(emission, due, undefined);
		// A time limit of the workflow also rejects a run that output them.
		if (due.every((one) => isKnown(node, keyOf(one)))) return;
		context.logger.warn(
			`A run with ${due.length} responses could not be started or did not end, so they are looked for again: ${(error as Error).message}`,
		);
	}
}

/** Also emits again what was emitted long ago: n8n tells no end where its queue was lost. */
function emitDue(emission: Emission) {
	const { node, isActive, pending } = emission;
	for (const key of pending.keys()) if (isKnown(node, key)) pending.delete(key);
	const now = performance.now();
	const due = [...pending.values()]
		.filter((one) => one.dueAt <= now)
		.sort((a, b) => completedAt(a) - completedAt(b))
		.slice(0, AT_ONCE);
	if (due.length === 0 || !isActive()) return;
	if (due.some((one) => one.emission !== undefined)) emission.repetitions++;
	const id = Symbol('emission');
	const emitted = due.map((one) => ({ ...one, emission: id, dueAt: now + timing.emissionMs }));
	emitted.forEach((one) => pending.set(keyOf(one), one));
	void emit(emission, emitted);
	emitDue(emission);
}

/** Starts runs with responses that were read from the API, until each is known to be done. */
export function createEmission(from: Pick<Emission, 'context' | 'isActive' | 'onEnded'>) {
	const node = identityOf(from.context);
	const emission = { ...from, node, pending: new Map(), turn: randomInt(3), repetitions: 0 };
	return {
		isPending: (key: string) => emission.pending.has(key),
		emitDue: () => emitDue(emission),
		/**
		 * @param found oldest first
		 * @param isOldestShown whether the first one is the oldest that the API shows
		 */
		add(found: ResponseEnvelope[], look: Look, isOldestShown: boolean) {
			const waits = waitsOf(found, look);
			const isJudged = !look.isPolling && !look.isFirst;
			found.forEach((envelope, index) => {
				const isOldest = isOldestShown && index === 0;
				const dueAt = performance.now() + waits[index];
				const isLate = isJudged && !wasTaken(node, responseKey(envelope));
				const how = { isOldestShown: isOldest, isLate };
				plan(emission, { envelope, dueAt, isUnfinished: false, tries: 0, ...how });
			});
		},
	};
}
