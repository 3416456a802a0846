import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { countRecorded } from '../deduplication';
import { toJson } from '../output';
import { read, readAuthentication, readOutputOptionsLeniently } from '../parameters';
import { responseKey } from '../responseKey';
import { getResponse, MAX_RESPONSES } from '../transport/endpoints';
import { connect } from '../transport/request';
import type { Api } from '../transport/types';
import { recordRun, startRun } from './journal';
import type { Received } from './received';
import { RECOVERED, UNDECIDED } from './received';
import { timing } from './timing';

const VERIFICATIONS_AT_ONCE = 10;

const OUT_OF_REACH = `The oldest of the ${MAX_RESPONSES} responses that the API shows was missed, so there may be older ones out of its reach. Compare with the responses in the form service.`;

type Arrived = Received & { itemIndex: number };

interface ExecutionOptions {
	skipDuplicates?: boolean;
	verifyDeliveries?: boolean;
}

const arrived = ({ json }: INodeExecutionData, itemIndex: number): Arrived => ({
	...(json as unknown as Received),
	itemIndex,
});

const keyOf = ({ envelope }: Received) => responseKey(envelope);

/** Whether another process may have run the response, or may be running it. */
const isUncertain = ({ isRecovered, mayComeTwice }: Received) =>
	isRecovered || mayComeTwice === true;

/** Fetches the response again; undefined if it does not exist or belongs to another form. */
async function verified(
	context: IExecuteFunctions,
	api: Api,
	one: Arrived,
): Promise<Arrived | undefined> {
	const { formId, responseId } = one.envelope.data;
	// The service may deliver a response before its API shows it.
	for (const waitMs of [0, timing.verificationRetryMs]) {
		if (waitMs > 0) await sleep(waitMs);
		try {
			const envelope = await getResponse(api, responseId);
			if (envelope.data.formId === formId) return { ...one, envelope };
		} catch (error) {
			const { httpCode } = error as { httpCode?: string };
			if (httpCode !== '404') throw error as Error;
		}
	}
	context.logger.warn(
		`A delivery was dropped: the form service has no response ${responseId} for form ${formId}.`,
	);
	return undefined;
}

async function verify(context: IExecuteFunctions, all: Arrived[]): Promise<Arrived[]> {
	const api = await connect(context, {
		authentication: readAuthentication(context),
		maxConcurrency: VERIFICATIONS_AT_ONCE,
		signal: context.getExecutionCancelSignal(),
	});
	const results = await Promise.all(
		all.map(async (one) => (one.isRecovered ? one : await verified(context, api, one))),
	);
	return results.filter((one) => one !== undefined);
}

interface Sorted {
	fresh: Arrived[];
	undecided: number[];
}

/**
 * Drops responses that already ran. Recovered responses are always compared, because `trigger` cannot know what
 * ran before n8n started.
 */
async function withoutDuplicates(
	context: IExecuteFunctions,
	all: Arrived[],
	skipDuplicates: boolean,
): Promise<Sorted> {
	const uncertain = all.filter(isUncertain).map(keyOf);
	const delivered = all.filter((one) => !isUncertain(one)).map(keyOf);
	const { fresh, undecided } = await startRun(context, delivered, uncertain);
	return {
		fresh: all.filter((one) => fresh.has(keyOf(one)) || !(skipDuplicates || one.isRecovered)),
		undecided: all.filter((one) => undecided.has(keyOf(one))).map(({ itemIndex }) => itemIndex),
	};
}

/**
 * Reports the result to `trigger`. In queue mode, custom data is all that n8n passes from a run to the main
 * process (n8n, workflow-runner.ts, enqueueExecution).
 */
function reportRecovered(context: IExecuteFunctions, count: number, undecided: number[]) {
	const { customData } = context.getWorkflowDataProxy(0).$execution as {
		customData?: { set(key: string, value: number | string): void };
	};
	customData?.set(RECOVERED, count);
	if (undecided.length > 0) customData?.set(UNDECIDED, undecided.join(' '));
}

/** After a start without stored state, a recorded run tells lost state from a first publication. */
async function hasEverRun(context: IExecuteFunctions): Promise<boolean> {
	return (await countRecorded(context)) !== 0;
}

async function run(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { skipDuplicates = true, verifyDeliveries = false } = read(
		context,
		'options',
	) as ExecutionOptions;
	const outputOptions = readOutputOptionsLeniently(context);
	const mode = context.getMode();

	let all = context.getInputData().map(arrived);
	const isRecovery = all.some(({ isRecovered }) => isRecovered);
	if (verifyDeliveries) all = await verify(context, all);
	const isFirstRun = all.some(({ isGuess }) => isGuess) && !(await hasEverRun(context));
	// Tests and retries run every response, as a person asked for them. Tests are not recorded.
	let undecided: number[] = [];
	if (mode === 'retry') await recordRun(context, all.map(keyOf));
	else if (mode !== 'manual') {
		({ fresh: all, undecided } = await withoutDuplicates(context, all, skipDuplicates));
	}

	if (isFirstRun) all = all.filter(({ isGuess }) => !isGuess);
	if (isRecovery && mode !== 'manual') {
		reportRecovered(context, all.filter(({ isRecovered }) => isRecovered).length, undecided);
	}
	const mayHaveLost = all.some(({ isOldestShown }) => isOldestShown);
	if (mayHaveLost) context.logger.warn(`"${context.getNode().name}": ${OUT_OF_REACH}`);
	return [
		all.map(({ envelope, isRecovered, itemIndex }) => {
			const json: IDataObject = { ...toJson(envelope, outputOptions) };
			if (isRecovered && mayHaveLost) json.warning = OUT_OF_REACH;
			return { json, pairedItem: { item: itemIndex } };
		}),
	];
}

/** Outputs the responses of a run, pushed or recovered, without those that already ran. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	try {
		return await run(context);
	} catch (error) {
		if (!context.continueOnFail()) throw error as NodeOperationError;
		// n8n would output the unverified input (n8n-core, workflow-execute.ts).
		const { message } = error as Error;
		const failed = (_: unknown, item: number) => ({
			json: { error: { message } },
			pairedItem: { item },
		});
		return [context.getInputData().map(failed)];
	}
}
