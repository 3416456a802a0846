import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId } from '../../parameters';
import { responseKey } from '../../responseKey';
import { readClientSecret } from '../../transport/request';
import { identifiedResponse } from '../../transport/shapes';
import type { ResponseEnvelope } from '../../transport/types';
import type { DeliveryToken } from '../state/deliveryToken';
import { isHashOf, isSigned, tokenIn } from '../state/deliveryToken';
import { identityOf } from '../state/identity';
import type { Received } from '../received';
import { received } from '../received';
import { productionState, storedState } from '../state/storedState';
import { takeAgain } from '../state/taken';
import { timing } from '../timing';
import { judge } from './judge';
import { liveGeneration, overlaps } from './overlap';

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
	const { hash = '', generation = 0 } = storedState(context) ?? {};
	const token = tokenIn(context.getQueryData());
	const delivery = deliveryOf(context, token);
	const isProven = token?.generation === generation && isHashOf(hash, token);
	const about = { liveGeneration: generation, isProven, isPolling: false };
	const { runs, status, reason } = judge({ ...delivery, ...about });
	if (!runs) return reply.send(status, reason);
	return { envelope: delivery.body as ResponseEnvelope, isRecovered: false };
}

/** Whether n8n signed the token; undefined if that cannot be said now. */
async function isSignedHere(
	context: IWebhookFunctions,
	token: DeliveryToken,
): Promise<boolean | undefined> {
	try {
		const secret = await readClientSecret(context, timing.answerMs);
		return isSigned(token, { secret, identity: identityOf(context) });
	} catch (error) {
		context.logger.warn(`A delivery could not be checked: ${(error as Error).message}`);
		return undefined;
	}
}

/** What the workflow is to run with. */
async function wanted(context: IWebhookFunctions, reply: Reply): Promise<Received | undefined> {
	const { hash = '', generation: stored = 0 } = productionState(context) ?? {};
	const node = identityOf(context);
	const live = liveGeneration(node, stored);
	const isPolling = readAuthentication(context) === 'apiKey';
	const token = tokenIn(context.getQueryData());
	const isCandidate = !isPolling && token !== undefined && token.generation >= live;
	const isStored = isCandidate && token.generation === stored && isHashOf(hash, token);
	// n8n stores a key late, and may lose it.
	const isProven = isStored || (isCandidate && (await isSignedHere(context, token)));
	if (isProven === undefined) return reply.send(503, 'its key could not be checked');
	const delivery = deliveryOf(context, token);
	const verdict = judge({ ...delivery, liveGeneration: live, isProven, isPolling });
	if (!verdict.runs) return reply.send(verdict.status, verdict.reason);
	const envelope = delivery.body as ResponseEnvelope;
	const isAgain = takeAgain(node, responseKey(envelope));
	if (isAgain && skipsDuplicates(context)) return reply.send(200, 'it was delivered before');
	const isEarly = token!.generation > stored && overlaps(node, token!.generation);
	// Where nothing is stored, a replaced key looks like the live one.
	if (stored === 0) return { envelope, isRecovered: false, isUnproven: true };
	if (isEarly) {
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
	return reply.isSent ? { noWebhookResponse: true, workflowData } : { workflowData };
}
