import type { IExecuteFunctions, INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { countRecorded } from '../../deduplication';
import { toJson } from '../../output';
import { read, readAuthentication, readOutputOptionsLeniently } from '../../parameters';
import { responseKey } from '../../transport/responseKey';
import { getResponse, MAX_RESPONSES } from '../../transport/endpoints';
import { isAbsent } from '../../transport/errors';
import { connect } from '../../transport/request';
import { responseWith } from '../../transport/shapes';
import type { Api } from '../../transport/types';
import { isWanted } from '../onlyIf';
import type { Keyed, Question, Received, Verdict } from '../received';
import { REPORT } from '../received';
import type { Memory } from '../state/memory';
import { claim, foresee } from './claim';
import type { Kind } from './ledger';

const OUT_OF_REACH = `The oldest of the ${MAX_RESPONSES} responses that the API shows was missed, so older ones may be out of its reach. Compare with the form service.`;

const FIRST_RUN =
	'n8n has nothing stored of this node, so responses from before its start do not run.';

const LEFT_OUT =
	'This response does not meet "Only If", so the published workflow does not run for it.';

interface ExecutionOptions {
	skipDuplicates?: boolean;
	verifyDeliveries?: boolean;
}

/** Tests and retries, as a person asked for them. */
const isAskedFor = (context: IExecuteFunctions) => ['manual', 'retry'].includes(context.getMode());

/** Fetches the response again; undefined if it does not exist, belongs to another form or does not meet Only If. */
async function verified(context: IExecuteFunctions, api: Api, one: Received) {
	const { formId, responseId } = one.envelope.data;
	try {
		const envelope = await getResponse(api, responseId, responseWith);
		if (envelope.data.formId.toLowerCase() === formId.toLowerCase()) {
			const isMeant = isAskedFor(context) || isWanted(context, envelope);
			return isMeant ? { ...one, envelope } : undefined;
		}
	} catch (error) {
		if (!isAbsent(error as Error)) throw error as Error;
	}
	// The service may deliver a response before its API shows it; the next look finds it then.
	context.logger.warn(
		`A delivery was dropped: the form service has no response ${responseId} for form ${formId}.`,
	);
	return undefined;
}

async function verify(context: IExecuteFunctions, all: Received[], verifiesAll?: boolean) {
	const isDoubtful = ({ isRecovered, isShown }: Received) => !isRecovered && !isShown;
	if (!verifiesAll || !all.some(isDoubtful)) return all;
	const api = await connect(context, {
		authentication: readAuthentication(context),
		signal: context.getExecutionCancelSignal(),
	});
	const results = await Promise.all(
		all.map(async (one) => (isDoubtful(one) ? await verified(context, api, one) : one)),
	);
	return results.filter((one) => one !== undefined);
}

/** Which of them predate the first publication, as nothing was stored at the start, and the node never ran. */
async function outdated(context: IExecuteFunctions, all: Keyed[]) {
	const isFirst = all.some(({ isGuess }) => isGuess) && (await countRecorded(context)) === 0;
	if (isFirst) context.logger.warn(`"${context.getNode().name}": ${FIRST_RUN}`);
	return ({ isGuess }: Keyed) => isFirst && isGuess === true;
}

/** Tests and retries run every response, as a person asked for them. Tests are not recorded. */
async function judge(
	context: IExecuteFunctions,
	memory: Memory,
	all: Keyed[],
	{ skipDuplicates = true, isQuestion = false },
) {
	const mode = context.getMode();
	if (mode === 'manual') return all.map((): Verdict => 'pass');
	const kindOf = ({ isRecovered, isUnfinished, isShown }: Keyed): Kind => {
		if (mode === 'retry') return 'wanted';
		if (isRecovered) return isUnfinished ? 'unfinished' : 'missed';
		return skipDuplicates || isShown ? 'delivered' : 'wanted';
	};
	const items = all.map((one) => ({ ...one, kind: kindOf(one) }));
	const isOutdated = await outdated(context, all);
	const verdicts = await (isQuestion ? foresee : claim)(context, memory, items);
	if (isQuestion) await claim(context, memory, items.filter(isOutdated));
	return verdicts.map((verdict, index) => (isOutdated(all[index]) ? 'done' : verdict));
}

/** Tells the trigger. */
function report(context: IExecuteFunctions, verdicts: Verdict[]) {
	const { customData } = context.getWorkflowDataProxy(0).$execution as {
		customData?: { set(key: string, value: string): void };
	};
	customData?.set(REPORT, verdicts.map(([letter]) => letter).join(''));
}

async function run(
	context: IExecuteFunctions,
	memory: Memory,
	input: Received[],
	{ skipDuplicates, verifyDeliveries }: ExecutionOptions,
) {
	const outputOptions = readOutputOptionsLeniently(context);
	const meant = await verify(context, input, verifyDeliveries);
	const all = meant.map((one) => ({ ...one, key: responseKey(one.envelope) }));
	const verdicts = await judge(context, memory, all, { skipDuplicates });
	const isTest = context.getMode() === 'manual';
	if (!isTest && all.some(({ isRecovered }) => isRecovered)) report(context, verdicts);

	const passed = all.filter((_, index) => verdicts[index] === 'pass');
	if (isTest && !passed.every(({ envelope }) => isWanted(context, envelope))) {
		context.addExecutionHints?.({ message: LEFT_OUT, location: 'outputPane' });
	}
	const mayHaveLost = passed.some(({ isOldestShown }) => isOldestShown);
	if (mayHaveLost) context.logger.warn(`"${context.getNode().name}": ${OUT_OF_REACH}`);
	return passed.map(({ envelope, isOldestShown }): INodeExecutionData => {
		const warning = isOldestShown ? { warning: OUT_OF_REACH } : {};
		return { json: { ...toJson(envelope, outputOptions), ...warning } };
	});
}

/** Outputs a response, pushed or recovered, unless it already ran; or answers a question. */
export async function execute(
	context: IExecuteFunctions,
	memory: Memory,
): Promise<INodeExecutionData[][]> {
	const input = context.getInputData().map(({ json }) => json as unknown as Question | Received);
	const { asked } = { ...input[0] } as Partial<Question>;
	try {
		const options = read(context, 'options') as ExecutionOptions;
		if (!asked) return [await run(context, memory, input as Received[], options)];
		report(context, await judge(context, memory, asked, { isQuestion: true }));
		return [[]];
	} catch (error) {
		if (!context.continueOnFail()) throw error as NodeOperationError;
		if (asked) return [[]];
		// n8n would output the unverified input (n8n-core, workflow-execute.ts).
		const { message } = error as Error;
		return [input.map(() => ({ json: { error: { message } } }))];
	}
}
