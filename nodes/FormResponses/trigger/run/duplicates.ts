import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Verdict } from '../runInput';
import type { Memory } from '../state/memory';
import { addKnown, isTriggerHere } from '../state/memory';
import { timing } from '../timing';
import type { Item } from './duplicateRules';
import { endsOf, marksOf, verdictOf, wasQueued } from './duplicateRules';
import { ask, keep, peek } from './storedMarks';

/** Runs a task once, and forgets it then: a timer must keep no ended run in memory. */
function once(task: () => Promise<unknown>) {
	let left: typeof task | undefined = task;
	let running: Promise<unknown> | undefined;
	return async () => {
		running ??= left?.();
		left = undefined;
		await running;
	};
}

function endWithRun(context: IExecuteFunctions, memory: Memory, key: string) {
	const marks = endsOf(key);
	const record = once(async () => {
		memory.underWay.delete(key);
		keep(memory, marks);
		await ask(context, memory, marks, timing.patienceMs);
	});
	// n8n reports no end of a waiting run, and before 2.33 no end at all. A shutdown waits for this callback, unless
	// n8n is killed (n8n-core, execution-lifecycle-hooks.ts, runHook).
	context.onExecutionFinish?.(record);
	void sleep(context.onExecutionFinish ? timing.shortRunMs : 0).then(record);
}

/** What this process knows by itself; undefined if it has to ask. */
function knownVerdict({ known, underWay }: Memory, { key, kind }: Item): Verdict | undefined {
	if (kind === 'wanted') return undefined;
	if (underWay.has(key)) return kind === 'delivered' ? 'done' : 'told';
	return known.has(key) ? 'done' : undefined;
}

const isCanceled = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;

/**
 * Asks on until a mark of each question is missing: another process must not see more of what is not there.
 * @returns which marks of each the store had, as far as it answered
 */
async function answersTo(
	context: IExecuteFunctions,
	questions: string[][],
	missingOf: (marks: string[]) => Promise<Set<string> | undefined>,
) {
	const answers = questions.map((): boolean[] => []);
	for (let call = 0; ; call++) {
		const isOpen = (n: number) => call < questions[n].length && !answers[n].includes(false);
		const open = [...questions.keys()].filter(isOpen);
		if (open.length === 0 || isCanceled(context)) return answers;
		const marks = open.map((n) => questions[n][call]);
		const missing = await missingOf(marks);
		if (missing === undefined) return answers;
		open.forEach((n) => answers[n].push(!missing.has(questions[n][call])));
	}
}

async function waitIfQueued(memory: Memory, item: Item) {
	const isQueued = !isTriggerHere(memory) && wasQueued(item, Date.now());
	// Up to half as long sooner or later, so that two such runs do not ask at the same time.
	if (isQueued) await sleep(timing.momentMs * (0.5 + Math.random()));
}

async function askedVerdict(context: IExecuteFunctions, memory: Memory, item: Item) {
	const isAlone = isTriggerHere(memory);
	const missingOf = async (marks: string[]) => await ask(context, memory, marks);
	const [answers] = await answersTo(context, [marksOf(item, isAlone)], missingOf);
	if (isCanceled(context)) return 'again';
	const verdict = verdictOf(item, answers, isAlone);
	if (verdict !== 'pass') return verdict;
	if (!isAlone || answers.length === 0) keep(memory, [item.key]);
	addKnown(memory, [item.key]);
	endWithRun(context, memory, item.key);
	return verdict;
}

/** Tells which of these responses still have to run, and leaves the store as it was. */
async function peekedVerdicts(context: IExecuteFunctions, memory: Memory, items: Item[]) {
	const isAlone = isTriggerHere(memory);
	const questions = items.map((item) => marksOf(item, true));
	const missingOf = async (marks: string[]) => await peek(context, marks);
	const answers = await answersTo(context, questions, missingOf);
	return items.map((item, n): Verdict => {
		const verdict = knownVerdict(memory, item) ?? verdictOf(item, answers[n], isAlone);
		return verdict === 'pass' ? 'free' : verdict;
	});
}

/** Decides whether a run outputs a response, with up to six calls of the store; a moment later if it was queued. */
export async function claim(context: IExecuteFunctions, memory: Memory, item: Item) {
	await waitIfQueued(memory, item);
	const known = knownVerdict(memory, item);
	if (known !== undefined) return known;
	memory.underWay.add(item.key);
	const verdict = await askedVerdict(context, memory, item);
	if (verdict === 'pass') return verdict;
	memory.underWay.delete(item.key);
	// Most often the other run has ended.
	const isOthers = verdict === 'told' && item.kind === 'missed';
	return isOthers ? (await peekedVerdicts(context, memory, [item]))[0] : verdict;
}

/** Records that responses are over, which never run. @returns undefined if the store fails */
export async function dismiss(context: IExecuteFunctions, memory: Memory, keys: string[]) {
	const marks = keys.flatMap((key) => [key, ...endsOf(key)]);
	keep(memory, marks);
	return await ask(context, memory, marks);
}

/** Tells it to a question, a moment later if that was queued. */
export async function foresee(context: IExecuteFunctions, memory: Memory, items: Item[]) {
	await waitIfQueued(memory, items[0]);
	return await peekedVerdicts(context, memory, items);
}
