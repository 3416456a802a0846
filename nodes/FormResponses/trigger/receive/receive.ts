import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId } from '../../parameters';
import { responseKey } from '../../responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import { tokenIn } from '../state/deliveryToken';
import { received } from '../received';
import type { TriggerState } from '../state/state';
import { isMadeHere, productionState, storedState } from '../state/storedState';
import { timing } from '../timing';
import type { Delivery, Verdict } from './judge';
import { judge } from './judge';
import { liveGeneration, overlaps } from './overlap';
import type { Question } from './settle';
import { settle, takeUnsettled } from './settle';
import { takeAgain } from './taken';

/** Replies to the sender. They reveal nothing about keys and generations, which could help an intruder. */
const MESSAGES = {
	200: 'Received',
	400: 'The body is not a completed response in JSON',
	403: 'Forbidden',
	410: 'Gone',
	503: 'Try again later',
};

const BEFORE = 'it was delivered before';

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

/** Parameters whose expressions fail have their default: a delivered response must always run. */
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

const deliveryTo = (context: IWebhookFunctions, state: TriggerState | undefined) => ({
	body: context.getBodyData() as unknown,
	token: tokenIn(context.getQueryData()),
	keys: state?.keys ?? [],
	formId: orDefault<string | undefined>(() => readFormId(context), undefined),
});

/** What the service has of a delivery. The sender waits for the answer only so long. */
async function found(
	context: IWebhookFunctions,
	{ status, reason }: Verdict,
	reply: Reply,
	question: Question,
): Promise<ResponseEnvelope | undefined> {
	const cannotSay = () => reply.send(503, 'it could not be looked up in time');
	void sleep(timing.answerMs).then(cannotSay);
	const settled = await settle(context, question);
	if (settled === 'foreign') return reply.send(status, reason);
	if (settled === 'repeated') return reply.send(200, BEFORE);
	return settled === 'unsettled' ? cannotSay() : settled;
}

/** A test listener runs with all that its hook delivers. */
function tested(context: IWebhookFunctions, reply: Reply): ResponseEnvelope | undefined {
	const state = storedState(context);
	const delivery = { ...deliveryTo(context, state), generation: state?.generation ?? 0 };
	const { runs, status, reason } = judge({ ...delivery, isPolling: false, isMadeHere: true });
	return runs ? (delivery.body as ResponseEnvelope) : reply.send(status, reason);
}

/** What the workflow is to run with. */
async function wanted(
	context: IWebhookFunctions,
	reply: Reply,
): Promise<ResponseEnvelope | undefined> {
	const state = productionState(context);
	const delivery: Delivery = {
		...deliveryTo(context, state),
		generation: liveGeneration(context, state),
		isPolling: readAuthentication(context) === 'apiKey',
		isMadeHere: isMadeHere(context),
	};
	const verdict = judge(delivery);
	if (verdict.runs === undefined) return reply.send(verdict.status, verdict.reason);
	const delivered = delivery.body as ResponseEnvelope;
	const { formId, generation, token } = delivery;
	const isAsked = verdict.runs === 'if found';
	const question = { delivered, formId, since: state?.since };
	const envelope = isAsked ? await found(context, verdict, reply, question) : delivered;
	if (envelope === undefined) return undefined;
	if (skipsDuplicates(context) && takeAgain(context, responseKey(envelope))) {
		return reply.send(200, BEFORE);
	}
	const isLive = generation === 0 || token?.generation === generation;
	if (!isLive && (isAsked || overlaps(context, token!.generation))) {
		reply.send(200, 'the workflow runs a moment later');
		// The live hook's run then claims the response first: nothing else tells apart two that come at once.
		await sleep(timing.apartMs);
	}
	return envelope;
}

/**
 * Answers a delivery. Never throws, because n8n would record a failed execution. Never writes static data,
 * which would overwrite that of a concurrent subscription.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const reply = createReply(context);
	const envelope = isTest ? tested(context, reply) : await wanted(context, reply);
	if (envelope === undefined) return { noWebhookResponse: true };
	const isAfterUnsettled = !isTest && takeUnsettled(context);
	const item = { envelope, isRecovered: false, ...(isAfterUnsettled && { isAfterUnsettled }) };
	const workflowData = [[received(item)]];
	if (reply.isSent) return { noWebhookResponse: true, workflowData };
	reply.isSent = true;
	return { workflowData };
}
