import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId } from '../../parameters';
import { responseKey } from '../../transport/responseKey';
import { identifiedResponse } from '../../transport/shapes';
import type { ResponseEnvelope } from '../../transport/types';
import { tokenIn } from '../state/deliveryToken';
import { identityOf, perNode } from '../state/identity';
import { isWanted } from '../onlyIf';
import type { Received } from '../received';
import { received } from '../received';
import { liveGeneration, overlaps } from '../state/overlap';
import { NO_KEY } from '../state/state';
import { productionState, storedState } from '../state/storedState';
import { giveBack, takeAgain } from '../state/taken';
import { timing } from '../timing';
import type { Delivery } from './judge';
import { judge } from './judge';
import type { Proof } from './proof';
import { isStored, proofOf } from './proof';

/** Replies to the sender. They reveal nothing about keys and generations, which could help an intruder. */
const MESSAGES = {
	200: 'Received',
	400: 'The body is not a completed response in JSON',
	403: 'Forbidden',
	410: 'Gone',
	503: 'Try again later',
};

/** Answers the sender, unless that was done. @param reason for n8n's log */
type Reply = (status: keyof typeof MESSAGES, reason: string) => undefined;

/** What cannot be read has its default: a delivered response must always run. */
function orDefault<Value>(readValue: () => Value, value: Value): Value {
	try {
		return readValue();
	} catch {
		return value;
	}
}

const skipsDuplicates = (context: IWebhookFunctions): boolean =>
	orDefault(() => read(context, 'options') as IDataObject, {}).skipDuplicates !== false;

/** The API names no content type of its deliveries, and n8n parses only `application/json` (n8n, body-parser.ts). */
function bodyOf(context: IWebhookFunctions): unknown {
	const parsed: unknown = context.getBodyData();
	if (identifiedResponse(parsed) === undefined) return parsed;
	const { rawBody } = context.getRequestObject();
	return orDefault<unknown>(() => JSON.parse(rawBody.toString()), parsed);
}

/** @returns undefined if the delivery was answered, as it starts no run */
function judged(
	context: IWebhookFunctions,
	reply: Reply,
	key: Omit<Delivery, 'body' | 'formId'>,
): Received | undefined {
	const body = bodyOf(context);
	const formId = orDefault<string | undefined>(() => readFormId(context), undefined);
	const refusal = judge({ body, formId, ...key });
	return refusal ? reply(...refusal) : { envelope: body as ResponseEnvelope, isRecovered: false };
}

/** A test listener runs with all that its hook delivers. */
function tested(context: IWebhookFunctions, reply: Reply): Received | undefined {
	const stored = storedState(context) ?? NO_KEY;
	const token = tokenIn(context.getQueryData());
	const about = { generation: token?.generation, liveGeneration: stored.generation };
	return judged(context, reply, { ...about, isProven: isStored(stored, token), isPolling: false });
}

/** What n8n had stored when it was youngest: a run may wipe it. */
const seenOf = perNode(() => ({ state: NO_KEY }));

function latestStored(node: string, state: typeof NO_KEY = NO_KEY) {
	const seen = seenOf(node);
	if (state.generation >= seen.state.generation) seen.state = state;
	return seen.state;
}

/** What the workflow is to run with. */
async function wanted(context: IWebhookFunctions, reply: Reply): Promise<Received | undefined> {
	const node = identityOf(context);
	const stored = latestStored(node, productionState(context));
	const token = tokenIn(context.getQueryData());
	const isPolling = readAuthentication(context) === 'apiKey';
	const live = liveGeneration(node, stored.generation);
	const about = { generation: token?.generation, liveGeneration: live };
	// Whether its key is proven is told later: that may take a while.
	const item = judged(context, reply, { ...about, isProven: true, isPolling });
	if (item === undefined || token === undefined) return undefined;
	const cannotSay = () => reply(503, 'its key could not be checked in time');
	let proof: Proof = isStored(stored, token);
	if (!proof) {
		void sleep(timing.answerMs).then(cannotSay);
		proof = await proofOf(context, stored, token);
	}
	if (proof === false) return reply(403, 'its key is not known');
	if (proof === 'unknown') return cannotSay();
	const key = responseKey(item.envelope);
	const isAgain = takeAgain(node, key);
	if (isAgain && skipsDuplicates(context)) return reply(200, 'it was delivered before');
	const mayBeEarly = proof === true && token.generation > stored.generation;
	const isEarly = mayBeEarly && overlaps(node, token.generation);
	if (!isWanted(context, item.envelope)) return reply(200, 'it does not meet Only If');
	const response = context.getResponseObject();
	// n8n could not store the execution.
	response.once('finish', () => response.statusCode >= 500 && giveBack(node, key));
	if (proof === 'unchecked') return { ...item, isUnproven: true };
	if (isEarly && stored.generation > 0) {
		reply(200, 'the workflow runs a moment later');
		// The live hook's run then claims the response first: nothing else tells apart two that come at once.
		await sleep(timing.apartMs);
	}
	return item;
}

/**
 * Answers a delivery. Never throws, because n8n would record a failed execution. Never writes static data,
 * which would overwrite that of a concurrent subscription.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	let isAnswered = false;
	const reply: Reply = (status, reason) => {
		if (isAnswered) return;
		isAnswered = true;
		context.logger.debug(`"${context.getNode().name}" answered a delivery ${status}: ${reason}`);
		const response = context.getResponseObject();
		if (status === 503) response.setHeader('Retry-After', timing.answerMs / 1_000);
		response.status(status).json({ message: MESSAGES[status] });
	};
	const isTest = context.getMode() === 'manual';
	const item = isTest ? tested(context, reply) : await wanted(context, reply);
	const result = { noWebhookResponse: isAnswered, workflowData: item && [[received(item)]] };
	// Where the node did not answer, n8n does now.
	isAnswered = true;
	return result;
}
