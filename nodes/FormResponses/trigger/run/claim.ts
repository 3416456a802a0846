import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { identityOf, perNode } from '../state/identity';
import { addKnown, isKnown } from '../state/known';
import { timing } from '../timing';
import { isTriggerHere } from '../state/triggers';
import type { Item, Verdict } from './ledger';
import { endsOf, questionsOf, verdictOf } from './ledger';
import { ask, keep } from './marks';

/** Response keys for which a run of this process waits for the store. */
const askingOf = perNode(() => new Set<string>());

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
	const asking = askingOf(node);
	if (kind === 'wanted') return undefined;
	if (isKnown(node, key)) return 'done';
	// The run that is asking may leave it to nobody.
	if (asking.has(key)) return kind === 'delivered' ? 'done' : 'again';
	asking.add(key);
	return undefined;
}

/** Asks the store on until a mark is missing of each. @returns the missing marks; undefined if it does not answer */
async function missingOf(context: IExecuteFunctions, node: string, questions: string[][][]) {
	const missing = new Set<string>();
	const isOpen = (question: string[][]) => !question.flat().some((mark) => missing.has(mark));
	for (let call = 0; ; call++) {
		const marks = questions.filter(isOpen).flatMap((question) => question[call] ?? []);
		if (marks.length === 0) return missing;
		const answer = await ask(context, node, marks);
		if (answer === undefined) return undefined;
		answer.forEach((mark) => missing.add(mark));
	}
}

async function verdictsOf(context: IExecuteFunctions, node: string, items: Item[]) {
	const isAlone = isTriggerHere(node);
	const questions = items.map((item) => questionsOf(item, isAlone));
	const missing = await missingOf(context, node, questions);
	const isCanceled = context.getExecutionCancelSignal()?.aborted === true;
	const verdicts = items.map((item) => {
		const verdict = verdictOf(item, missing, isAlone);
		return isCanceled && verdict !== 'done' ? 'again' : verdict;
	});
	const passed = items.filter((_, index) => verdicts[index] === 'pass');
	if (passed.length > 0) {
		const keys = passed.map(({ key }) => key);
		if (missing === undefined || !isAlone) keep(node, keys);
		addKnown(node, keys);
		endWithRun(context, node, keys);
	}
	return verdicts;
}

/** Decides which responses a run outputs. It waits for the store, for at most three calls, and for nothing else. */
export async function claim(context: IExecuteFunctions, items: Item[]): Promise<Verdict[]> {
	const node = identityOf(context);
	const known = items.map((item) => knownVerdict(node, item));
	const asked = items.filter((_, index) => known[index] === undefined);
	const verdicts = asked.length > 0 ? await verdictsOf(context, node, asked) : [];
	asked.forEach(({ key }) => askingOf(node).delete(key));
	return known.map((verdict) => verdict ?? verdicts.shift()!);
}
