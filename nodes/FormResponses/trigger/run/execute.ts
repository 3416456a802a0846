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
import type { Received } from '../received';
import { REPORT } from '../received';
import { claim } from './claim';
import type { Memory } from '../state/memory';
import type { Kind, Verdict } from './ledger';

const VERIFICATIONS_AT_ONCE = 10;

const OUT_OF_REACH = `The oldest of the ${MAX_RESPONSES} responses that the API shows was missed, so older ones may be out of its reach. Compare with the form service.`;

const FIRST_RUN =
	'n8n has nothing stored of this node, so responses from before its start do not run.';

const LEFT_OUT =
	'This response does not meet "Only If", so the published workflow does not run for it.';

type Arrived = Received & { itemIndex: number };

interface ExecutionOptions {
	skipDuplicates?: boolean;
	verifyDeliveries?: boolean;
}

/** Tests and retries, as a person asked for them. */
const isAskedFor = (context: IExecuteFunctions) => ['manual', 'retry'].includes(context.getMode());

/** Fetches the response again; undefined if it does not exist, belongs to another form or does not meet Only If. */
async function verified(context: IExecuteFunctions, api: Api, one: Arrived) {
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

async function verify(context: IExecuteFunctions, all: Arrived[], verifiesAll?: boolean) {
	const isDoubtful = ({ isRecovered, isShown }: Arrived) => !isRecovered && !isShown;
	if (!verifiesAll || !all.some(isDoubtful)) return all;
	const api = await connect(context, {
		authentication: readAuthentication(context),
		maxConcurrency: VERIFICATIONS_AT_ONCE,
		signal: context.getExecutionCancelSignal(),
	});
	const results = await Promise.all(
		all.map(async (one) => (isDoubtful(one) ? await verified(context, api, one) : one)),
	);
	return results.filter((one) => one !== undefined);
}

/** Tests and retries run every response, as a person asked for them. Tests are not recorded. */
async function judge(
	context: IExecuteFunctions,
	memory: Memory,
	all: Arrived[],
	skipDuplicates: boolean,
) {
	const mode = context.getMode();
	if (mode === 'manual') return all.map((): Verdict => 'pass');
	const kindOf = ({ isRecovered, isUnfinished, isShown }: Received): Kind => {
		if (mode === 'retry') return 'wanted';
		if (isRecovered) return isUnfinished ? 'unfinished' : 'missed';
		return skipDuplicates || isShown ? 'delivered' : 'wanted';
	};
	const keyed = all.map((one) => ({ ...one, key: responseKey(one.envelope), kind: kindOf(one) }));
	return await claim(context, memory, keyed);
}

/**
 * Reports to `trigger`. In queue mode, custom data is all that n8n passes from a run to the main process (n8n,
 * workflow-runner.ts, enqueueExecution).
 */
function report(context: IExecuteFunctions, havingVerdict: (verdict: Verdict) => Arrived[]) {
	const { customData } = context.getWorkflowDataProxy(0).$execution as {
		customData?: { set(key: string, value: number | string): void };
	};
	customData?.set(REPORT.arrived, context.getInputData().length);
	customData?.set(REPORT.passed, havingVerdict('pass').length);
	for (const verdict of ['told', 'again'] as const) {
		const positions = havingVerdict(verdict).map(({ itemIndex }) => itemIndex);
		if (positions.length > 0) customData?.set(REPORT[verdict], positions.join(' '));
	}
}

async function run(context: IExecuteFunctions, memory: Memory): Promise<INodeExecutionData[][]> {
	const { skipDuplicates = true, verifyDeliveries } = read(context, 'options') as ExecutionOptions;
	const outputOptions = readOutputOptionsLeniently(context);
	const input = context
		.getInputData()
		.map(({ json }, itemIndex) => ({ ...(json as unknown as Received), itemIndex }));
	const all = await verify(context, input, verifyDeliveries);
	// After a start without stored state, a recorded run tells lost state from a first publication.
	const isFirstRun = all.some(({ isGuess }) => isGuess) && (await countRecorded(context)) === 0;
	if (isFirstRun) context.logger.warn(`"${context.getNode().name}": ${FIRST_RUN}`);
	const judged = await judge(context, memory, all, skipDuplicates);
	const verdicts = judged.map((verdict, index) =>
		isFirstRun && all[index].isGuess && verdict === 'pass' ? 'done' : verdict,
	);
	const havingVerdict = (verdict: Verdict) => all.filter((_, index) => verdicts[index] === verdict);
	const isRecovery = all.some(({ isRecovered }) => isRecovered);
	if (isRecovery && context.getMode() !== 'manual') report(context, havingVerdict);

	const passed = havingVerdict('pass');
	const isTest = context.getMode() === 'manual';
	if (isTest && !passed.every(({ envelope }) => isWanted(context, envelope))) {
		context.addExecutionHints?.({ message: LEFT_OUT, location: 'outputPane' });
	}
	const mayHaveLost = passed.some(({ isOldestShown }) => isOldestShown);
	if (mayHaveLost) context.logger.warn(`"${context.getNode().name}": ${OUT_OF_REACH}`);
	const warning = mayHaveLost ? { warning: OUT_OF_REACH } : {};
	const itemOf = ({ envelope, itemIndex }: Arrived) => ({
		json: { ...toJson(envelope, outputOptions), ...warning },
		pairedItem: { item: itemIndex },
	});
	return [passed.map(itemOf)];
}

/** Outputs the responses of a run, pushed or recovered, without those that already ran. */
export async function execute(
	context: IExecuteFunctions,
	memory: Memory,
): Promise<INodeExecutionData[][]> {
	try {
		return await run(context, memory);
	} catch (error) {
		if (!context.continueOnFail()) throw error as NodeOperationError;
		// n8n would output the unverified input (n8n-core, workflow-execute.ts).
		const { message } = error as Error;
		const input = context.getInputData();
		return [input.map((_, item) => ({ json: { error: { message } }, pairedItem: { item } }))];
	}
}
