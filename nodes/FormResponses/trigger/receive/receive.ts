import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId } from '../../parameters';
import { responseKey } from '../../responseKey';
import { identifiedResponse } from '../../transport/shapes';
import type { ResponseEnvelope } from '../../transport/types';
import type { DeliveryToken } from '../state/deliveryToken';
import { isHashOf, tokenIn } from '../state/deliveryToken';
import { identityOf, perNode } from '../state/identity';
import type { Received } from '../received';
import { received } from '../received';
import { liveGeneration, overlaps } from '../state/overlap';
import { NO_KEY } from '../state/state';
import { productionState, storedState } from '../state/storedState';
import { takeAgain } from '../state/taken';
import { timing } from '../timing';
import { judge } from './judge';
import { proofOf } from './proof';

/** Replies to the sender. They reveal nothing about keys and generations, which could help an intruder. */
const MESSAGES = {
	200: 'Received',
	400: 'The body is not a completed response in JSON',
	403: 'Forbidden',
	410: 'Gone',
	503: 'Try again later',
};

type Status = keyof typeof MESSAGES;

/** Answers the sender, once; n8n does it where the node does not. */
function createReply(context: IWebhookFunctions) {
	const reply = {
		isSent: false,
		send(status: Status, reason: string): undefined {
			if (reply.isSent) return;
			reply.isSent = true;
			context.logger.debug(`"${context.getNode().name}" answered a delivery ${status}: ${reason}`);
			const response = context.getResponseObject();
			if (status === 503) response.setHeader('Retry-After', timing.answerMs / 1_000);
			response.status(status).json({ message: MESSAGES[status] });
		},
	};
	return reply;
}

type Reply = ReturnType<typeof createReply>;

/** What cannot be read has its default: a delivered response must always run. */
function orDefault<Value>(readValue: () => Value, value: Value): Value {
	try {
		return readValue();
	} catch {
		return value;
	}
}

function skipsDuplicates(context: IWebhookFunctions): boolean {
	const readOptions = () => read(context, 'options') as { skipDuplicates?: boolean };
	return orDefault(readOptions, {}).skipDuplicates !== false;
}

/** The API names no content type of its deliveries, and n8n parses only `application/json` (n8n, body-parser.ts). */
function bodyOf(context: IWebhookFunctions): unknown {
	const parsed: unknown = context.getBodyData();
	if (identifiedResponse(parsed) === undefined) return parsed;
	const { rawBody } = context.getRequestObject();
	return orDefault<unknown>(() => JSON.parse(rawBody.toString()), parsed);
}

const deliveryOf = (context: IWebhookFunctions, token: DeliveryToken | undefined) => ({
	body: bodyOf(context),
	generation: token?.generation,
	formId: orDefault<string | undefined>(() => readFormId(context), undefined),
});

/** A test listener runs with all that its hook delivers. */
function tested(context: IWebhookFunctions, reply: Reply): Received | undefined {
	const { hash, generation } = storedState(context) ?? NO_KEY;
	const token = tokenIn(context.getQueryData());
	const delivery = deliveryOf(context, token);
	const isProven = token?.generation === generation && isHashOf(hash, token);
	const about = { liveGeneration: generation, isProven, isPolling: false };
	const { runs, status, reason } = judge({ ...delivery, ...about });
	if (!runs) return reply.send(status, reason);
	return { envelope: delivery.body as ResponseEnvelope, isRecovered: false };
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
	const delivery = { ...deliveryOf(context, token), liveGeneration: live, isPolling };
	const { runs, status, reason } = judge({ ...delivery, isProven: true });
	if (!runs || token === undefined) return reply.send(status, reason);
	const cannotSay = () => reply.send(503, 'its key could not be checked in time');
	const waitForIt = () => void sleep(timing.answerMs).then(cannotSay);
	const proof = await proofOf(context, stored, token, waitForIt);
	if (proof === false) return reply.send(403, 'its key is not known');
	if (proof === 'unknown') return cannotSay();
	const envelope = delivery.body as ResponseEnvelope;
	const isAgain = takeAgain(node, responseKey(envelope));
	if (isAgain && skipsDuplicates(context)) return reply.send(200, 'it was delivered before');
	if (proof === 'unchecked') return { envelope, isRecovered: false, isUnproven: true };
	const isEarly = token.generation > stored.generation && overlaps(node, token.generation);
	if (isEarly && stored.generation > 0) {
		reply.send(200, 'the workflow runs a moment later');
		// The live hook's run then claims the response first: nothing else tells apart two that come at once.
		await sleep(timing.apartMs);
	}
	return { envelope, isRecovered: false };
}

/**
 * Answers a delivery. Never throws, because n8n would record a failed execution. Never writes static data,
 * which would overwrite that of a concurrent subscription.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const reply = createReply(context);
	const item = isTest ? tested(context, reply) : await wanted(context, reply);
	if (item === undefined) return { noWebhookResponse: true };
	const workflowData = [[received(item)]];
	if (reply.isSent) return { noWebhookResponse: true, workflowData };
	reply.isSent = true;
	return { workflowData };
}
