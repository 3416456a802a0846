import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toJson } from '../output';
import { keyOf } from '../processed';
import { read, readAuthentication, readOutputOptions } from '../parameters';
import { getResponse, MAX_RESPONSES } from '../transport/endpoints';
import { connect } from '../transport/request';
import type { Api } from '../transport/types';
import type { HandedOver } from './handedOver';
import { startRun } from './runs';

const VERIFICATIONS_AT_ONCE = 10;
/** A person who tests, or who retries a run that failed, wants it to run. */
const IS_REPEATED_BY_HAND = new Set<string>(['manual', 'retry']);

const OUT_OF_REACH = `All ${MAX_RESPONSES} responses that the API shows were missed, so there may be older ones out of its reach. Compare with the responses in the form service.`;

type Received = HandedOver & { itemIndex: number };

interface RefinementOptions {
	skipDuplicates?: boolean;
	verifyDeliveries?: boolean;
}

function receivedOf({ json }: INodeExecutionData, itemIndex: number): Received {
	return { ...(json as unknown as HandedOver), itemIndex };
}

/** The response as the API has it; undefined where it does not exist or belongs to another form. */
async function verified(
	context: IExecuteFunctions,
	api: Api,
	received: Received,
): Promise<Received | undefined> {
	const { formId, responseId } = received.envelope.data;
	try {
		const envelope = await getResponse(api, responseId);
		if (envelope.data.formId === formId) return { ...received, envelope };
	} catch (error) {
		const { httpCode } = error as { httpCode?: string };
		if (httpCode !== '404') throw error as Error;
	}
	context.logger.warn(
		`A delivery was dropped: the form service has no response ${responseId} for form ${formId}.`,
	);
	return undefined;
}

async function verify(context: IExecuteFunctions, all: Received[]): Promise<Received[]> {
	const api = await connect(context, {
		authentication: readAuthentication(context),
		maxConcurrency: VERIFICATIONS_AT_ONCE,
		signal: context.getExecutionCancelSignal(),
	});
	const results = await Promise.all(
		all.map(async (received) =>
			received.isRecovered ? received : await verified(context, api, received),
		),
	);
	return results.filter((received) => received !== undefined);
}

/**
 * Shapes the responses of a run, whether pushed or recovered, and drops those that already ran.
 * What recovery brings is always compared: it cannot know what ran before n8n was started.
 */
export async function refine(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { skipDuplicates = true, verifyDeliveries = false } = read(
		context,
		'options',
	) as RefinementOptions;
	const outputOptions = readOutputOptions(context);

	let all = context.getInputData().map(receivedOf);
	if (verifyDeliveries) all = await verify(context, all);
	if (!IS_REPEATED_BY_HAND.has(context.getMode())) {
		const keys = all.map(({ envelope }) => keyOf(envelope));
		const recovered = new Set(keys.filter((_, index) => all[index].isRecovered));
		const fresh = await startRun(context, keys, recovered);
		all = all.filter(
			({ isRecovered }, index) => fresh.has(keys[index]) || !(skipDuplicates || isRecovered),
		);
	}
	const mayHaveLost = all.filter(({ isRecovered }) => isRecovered).length >= MAX_RESPONSES;
	if (mayHaveLost) context.logger.warn(`"${context.getNode().name}": ${OUT_OF_REACH}`);
	return [
		all.map(({ envelope, isRecovered, itemIndex }) => {
			const json: IDataObject = { ...toJson(envelope, outputOptions) };
			if (isRecovered && mayHaveLost) json.warning = OUT_OF_REACH;
			return { json, pairedItem: { item: itemIndex } };
		}),
	];
}
