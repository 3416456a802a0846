import type { IExecuteFunctions, INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { countRecorded } from '../../processedStore';
import { showHint } from '../../hint';
import type { OutputOptions } from '../../output';
import { toJson } from '../../output';
import { read, readOutputOptionsLeniently } from '../../parameters';
import { responseKey } from '../../transport/responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import { isWanted, unknownQuestion } from '../onlyIf';
import { isToldInItem, OUT_OF_REACH } from '../oldestResponseWarning';
import type { Keyed, Question, Received, Verdict } from '../runInput';
import { REPORT } from '../runInput';
import type { Memory } from '../state/memory';
import { claim, dismiss, foresee } from './duplicates';
import type { Kind } from './duplicateRules';
import { verified } from './verifyDelivery';

const FIRST_RUN =
	'n8n has nothing stored of this node, so responses from before its start do not run.';

const LEFT_OUT =
	'This response does not meet "Only If", so the published workflow does not run for it.';

interface ExecutionOptions {
	skipDuplicates?: boolean;
	verifyDeliveries?: boolean;
	output: OutputOptions;
}

/** Which of them predate the first publication, as nothing was stored at the start, and the node never ran. */
async function outdated(context: IExecuteFunctions, all: Keyed[]) {
	const isFirst = all.some(({ isGuess }) => isGuess) && (await countRecorded(context)) === 0;
	if (isFirst) context.logger.warn(`"${context.getNode().name}": ${FIRST_RUN}`);
	return ({ isGuess }: Keyed) => isFirst && isGuess === true;
}

/** @param isOnce whether what is delivered runs once */
function kindOf({ isRecovered, isUnfinished, isShown }: Keyed, isOnce = true): Kind {
	if (isRecovered) return isUnfinished ? 'unfinished' : 'missed';
	return isOnce || isShown ? 'delivered' : 'wanted';
}

/** Tests and retries run every response, as a person asked for them. Tests are not recorded. */
async function judge(context: IExecuteFunctions, memory: Memory, one: Keyed, isOnce?: boolean) {
	const mode = context.getMode();
	if (mode === 'manual') return 'pass';
	const isOutdated = await outdated(context, [one]);
	const kind = mode === 'retry' ? 'wanted' : kindOf(one, isOnce);
	const verdict = await claim(context, memory, { ...one, kind });
	return isOutdated(one) && verdict === 'pass' ? 'done' : verdict;
}

/** Tells the trigger. */
function report(context: IExecuteFunctions, verdicts: Verdict[]) {
	const { customData } = context.getWorkflowDataProxy(0).$execution as {
		customData?: { set(key: string, value: string): void };
	};
	customData?.set(REPORT, verdicts.map(([letter]) => letter).join(''));
}

/** Outputs nothing, and claims nothing. */
async function answer(context: IExecuteFunctions, memory: Memory, asked: Keyed[]) {
	const never = asked.filter(await outdated(context, asked)).map(({ key }) => key);
	const isRecorded = never.length === 0 || (await dismiss(context, memory, never)) !== undefined;
	const items = asked.map((one) => ({ ...one, kind: kindOf(one) }));
	const again = asked.map((): Verdict => 'again');
	report(context, isRecorded ? await foresee(context, memory, items) : again);
}

/** Tells who tests what is wrong with Only If. */
function hintAtOnlyIf(context: IExecuteFunctions, envelope: ResponseEnvelope) {
	const unknown = unknownQuestion(context, [envelope]);
	if (unknown) showHint(context, unknown);
	if (!isWanted(context, envelope)) showHint(context, LEFT_OUT);
}

async function run(
	context: IExecuteFunctions,
	memory: Memory,
	arrived: Received,
	{ skipDuplicates, verifyDeliveries, output }: ExecutionOptions,
) {
	const isVerified = arrived.isRecovered || arrived.isShown || !verifyDeliveries;
	const one = isVerified ? arrived : await verified(context, arrived);
	if (one === undefined) return [];
	const { envelope, isRecovered, isOldestShown } = one;
	const keyed = { ...one, key: responseKey(envelope) };
	const verdict = await judge(context, memory, keyed, skipDuplicates);
	const isTest = context.getMode() === 'manual';
	if (isRecovered && !isTest) report(context, [verdict]);
	if (verdict !== 'pass') return [];

	if (isTest) hintAtOnlyIf(context, envelope);
	const json = toJson(envelope, output);
	if (!isOldestShown) return [{ json }];
	context.logger.warn(`"${context.getNode().name}": ${OUT_OF_REACH}`);
	return [{ json: isToldInItem(context) ? { ...json, warning: OUT_OF_REACH } : json }];
}

/** What does not run has no item, whatever "Always Output Data" says (n8n-core, workflow-execute.ts). */
function addNoEmptyItem(context: IExecuteFunctions) {
	const run = context.getExecuteData();
	run.node = { ...run.node, alwaysOutputData: false };
}

/** Outputs a response, pushed or recovered, unless it already ran; or answers a question. */
export async function execute(
	context: IExecuteFunctions,
	memory: Memory,
): Promise<INodeExecutionData[][]> {
	addNoEmptyItem(context);
	const [{ json }] = context.getInputData();
	const input = json as unknown as Question | Received;
	const isQuestion = 'asked' in input;
	try {
		const output = readOutputOptionsLeniently(context);
		const options = { ...(read(context, 'options') as ExecutionOptions), output };
		if (!isQuestion) return [await run(context, memory, input, options)];
		await answer(context, memory, input.asked);
		return [[]];
	} catch (error) {
		if (!context.continueOnFail()) throw error as NodeOperationError;
		// n8n would output the unverified input (n8n-core, workflow-execute.ts).
		const { message } = error as Error;
		return [isQuestion ? [] : [{ json: { error: { message } } }]];
	}
}
