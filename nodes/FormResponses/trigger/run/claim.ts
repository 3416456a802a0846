import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { identityOf, perNode } from '../state/identity';
import { addKnown, isKnown } from '../state/known';
import { timing } from '../timing';
import { isTriggerHere } from '../state/triggers';
import type { Item, Verdict } from './ledger';
import { endsOf, questionOf, verdictOf, wasQueued } from './ledger';
import { ask, keep } from './marks';

/** Response keys of this process's runs, from their question until their end: the process may be killed. */
const underWayOf = perNode(() => new Set<string>());

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

function endWithRun(context: IExecuteFunctions, node: string, keys: string[]) {
	const marks = keys.flatMap(endsOf);
	const record = once(async () => {
		keys.forEach((key) => underWayOf(node).delete(key));
		keep(node, marks);
		await ask(context, node, marks, timing.patienceMs);
	});
	// n8n reports no end of a waiting run, and before 2.33 no end at all. A shutdown waits for this callback, unless
	// n8n is killed (n8n-core, execution-lifecycle-hooks.ts, runHook).
	context.onExecutionFinish?.(record);
	void sleep(context.onExecutionFinish ? timing.shortRunMs : 0).then(record);
}

/** What this process knows by itself; undefined if it has to ask, which is noted. */
function knownVerdict(node: string, { key, kind }: Item): Verdict | undefined {
	const underWay = underWayOf(node);
	if (kind === 'wanted') return undefined;
	if (underWay.has(key)) return kind === 'delivered' ? 'done' : 'told';
	if (isKnown(node, key)) return 'done';
	underWay.add(key);
	return undefined;
}

const isCanceled = (context: IExecuteFunctions) =>
	context.getExecutionCancelSignal()?.aborted === true;

/** Asks on until a mark of each question is missing. @returns which marks of each the store had, as far as it answered */
async function answersTo(context: IExecuteFunctions, node: string, questions: string[][]) {
	const answers = questions.map((): boolean[] => []);
	for (let call = 0; ; call++) {
		const isOpen = (n: number) => call < questions[n].length && !answers[n].includes(false);
		const open = [...questions.keys()].filter(isOpen);
		if (open.length === 0 || isCanceled(context)) return answers;
		const marks = open.map((n) => questions[n][call]);
		const missing = await ask(context, node, marks);
		if (missing === undefined) return answers;
		open.forEach((n) => answers[n].push(!missing.has(questions[n][call])));
	}
}

async function verdictsOf(context: IExecuteFunctions, node: string, items: Item[]) {
	const isAlone = isTriggerHere(node);
	const questions = items.map((item) => questionOf(item, isAlone));
	const answers = await answersTo(context, node, questions);
	const verdicts = items.map((item, n) => {
		const verdict = verdictOf(item, answers[n], isAlone);
		return isCanceled(context) && verdict !== 'done' ? 'again' : verdict;
	});
	const passed = [...items.keys()].filter((n) => verdicts[n] === 'pass');
	const keysOf = (some: number[]) => some.map((n) => items[n].key);
	if (passed.length > 0) {
		keep(node, keysOf(passed.filter((n) => !isAlone || answers[n].length === 0)));
		addKnown(node, keysOf(passed));
		endWithRun(context, node, keysOf(passed));
	}
	return verdicts;
}

/** Decides which responses a run outputs, with up to four calls of the store; a moment later if they were queued. */
export async function claim(context: IExecuteFunctions, items: Item[]): Promise<Verdict[]> {
	const node = identityOf(context);
	const isQueued = !isTriggerHere(node) && items.some((item) => wasQueued(item, Date.now()));
	// Up to half as long sooner or later, so that two such runs do not ask at the same time.
	if (isQueued) await sleep(timing.momentMs * (0.5 + Math.random()));
	const known = items.map((item) => knownVerdict(node, item));
	const asked = items.filter((_, index) => known[index] === undefined);
	const verdicts = asked.length > 0 ? await verdictsOf(context, node, asked) : [];
	asked.forEach(({ key }, n) => verdicts[n] !== 'pass' && underWayOf(node).delete(key));
	return known.map((verdict) => verdict ?? verdicts.shift()!);
}
