import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId } from '../../parameters';
import { responseKey } from '../../responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import { tokenIn } from '../state/deliveryToken';
import { received } from '../received';
import { isMadeHere, productionState, testState } from '../state/storedState';
import { timing } from '../timing';
import type { Verdict } from './judge';
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
		send(status: Status, reason: string) {
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

function formIdOf(context: IWebhookFunctions): string | undefined {
	try {
		return readFormId(context);
	} catch {
		return undefined;
	}
}

function skipsDuplicates(context: IWebhookFunctions): boolean {
	try {
		return (read(context, 'options') as { skipDuplicates?: boolean }).skipDuplicates !== false;
	} catch {
		return true;
	}
}

/** What the service has of a delivery. The sender waits for the answer only so long. */
async function found(
	context: IWebhookFunctions,
	{ status, reason }: Verdict,
	reply: Reply,
	question: Question,
): Promise<ResponseEnvelope | undefined> {
	if (status === 410) reply.send(status, reason);
	const cannotSay = () => reply.send(503, 'it could not be looked up in time');
	void sleep(timing.answerMs).then(cannotSay);
	const settled = await settle(context, question);
	if (settled === 'foreign') reply.send(status, reason);
	if (settled === 'repeated') reply.send(200, BEFORE);
	if (settled === 'unsettled') cannotSay();
	return typeof settled === 'string' ? undefined : settled;
}

/** What the workflow is to run with. */
async function wantedOf(context: IWebhookFunctions, isTest: boolean, reply: Reply) {
	const formId = formIdOf(context);
	const state = isTest ? testState(context) : productionState(context);
	const generation = liveGeneration(context, state);
	const token = tokenIn(context.getQueryData());
	const body: unknown = context.getBodyData();
	const verdict = judge({
		body,
		token,
		state,
		generation,
		formId,
		isPolling: !isTest && readAuthentication(context) === 'apiKey',
		isMadeHere: isTest || isMadeHere(context),
	});
	const { runs, status, reason } = verdict;
	if (runs === undefined) reply.send(status, reason);
	if (runs === undefined || token === undefined) return undefined;
	const delivered = body as ResponseEnvelope;
	const isAsked = runs === 'if found';
	const envelope = isAsked
		? await found(context, verdict, reply, { delivered, formId, state })
		: delivered;
	const isOther = !isTest && generation > 0 && token.generation !== generation;
	const mayComeTwice = envelope && isOther && (isAsked || overlaps(context, token.generation));
	return envelope && { envelope, mayComeTwice };
}

/**
 * Answers a delivery. Never throws, because n8n would record a failed execution. Never writes static data,
 * which would overwrite that of a concurrent subscription.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const reply = createReply(context);
	const wanted = await wantedOf(context, isTest, reply);
	if (wanted === undefined) return { noWebhookResponse: true };
	const { envelope, mayComeTwice } = wanted;
	if (!isTest && skipsDuplicates(context) && takeAgain(context, responseKey(envelope))) {
		reply.send(200, BEFORE);
		return { noWebhookResponse: true };
	}
	if (mayComeTwice) {
		reply.send(200, 'the workflow runs a moment later');
		// The live hook's run then claims the response first: nothing else tells apart two that come at once.
		await sleep(timing.apartMs);
	}
	const isAfterUnsettled = !isTest && takeUnsettled(context);
	const item = { envelope, isRecovered: false, ...(isAfterUnsettled && { isAfterUnsettled }) };
	const workflowData = [[received(item)]];
	if (reply.isSent) return { noWebhookResponse: true, workflowData };
	reply.isSent = true;
	return { workflowData };
}
