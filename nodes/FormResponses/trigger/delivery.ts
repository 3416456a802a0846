import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId } from '../parameters';
import { responseKey } from '../responseKey';
import { identifiedResponse } from '../transport/shapes';
import type { ResponseEnvelope } from '../transport/types';
import type { DeliveryToken, StoredKey } from './deliveryToken';
import { findKey, tokenIn } from './deliveryToken';
import { lookUp } from './lookUp';
import { received } from './received';
import type { TriggerState } from './state';
import { isMadeHere, productionState, subscriptionOf, testState } from './storedState';
import { takeAgain } from './taken';
import { timing } from './timing';

const EVENT = 'response.completed';

/** Replies to the sender. They reveal nothing about keys and generations, which could help an intruder. */
const MESSAGES = {
	200: 'Received',
	400: 'The body is not a completed response in JSON',
	403: 'Forbidden',
	410: 'Gone',
};

export interface Verdict {
	status: keyof typeof MESSAGES;
	/** For n8n's log. */
	reason: string;
	run?: ResponseEnvelope;
	/** Whether the live hook may deliver the response to another process at the same time. */
	mayComeTwice?: boolean;
	/** The key is unknown here: accept the response only if the API has it. */
	lookUp?: boolean;
}

export interface Delivery {
	body: unknown;
	token: DeliveryToken | undefined;
	state: TriggerState | undefined;
	/** From the node's parameters. */
	formId: string | undefined;
	isPolling: boolean;
	/** Whether this process made the live subscription, and so knows every valid key. */
	isMadeHere: boolean;
	/** Whether the live hook is known not to deliver. */
	isHookLost: boolean;
	now: number;
}

const isIdentified = (body: unknown): body is ResponseEnvelope =>
	identifiedResponse(body) === undefined;

const isFor = (envelope: ResponseEnvelope, formId: string | undefined) =>
	envelope.data.formId.toLowerCase() === formId;

const replaced: Verdict = { status: 410, reason: 'its subscription was replaced by a newer one' };

/** Whether the live hook delivers the response, too, if a replaced hook still exists. */
function isLiveHooks(envelope: ResponseEnvelope, { state, isHookLost }: Delivery): boolean {
	if (state?.status !== 'subscribed' || state.madeAt === undefined || isHookLost) return false;
	const beginsAt = Date.parse(state.madeAt) + timing.hookBeginsMs;
	return isFor(envelope, state.formId) && Date.parse(envelope.data.completedAt) > beginsAt;
}

function judgeKnown(envelope: ResponseEnvelope, key: StoredKey, delivery: Delivery): Verdict {
	const { formId, state } = delivery;
	const isCompletion = envelope.event === EVENT;
	const live = state?.generation ?? 0;
	const mayComeTwice = key.generation !== live;
	if (key.generation < live) {
		const isOurs = isFor(envelope, key.formId) && isFor(envelope, formId);
		const runs = isOurs && isCompletion && !isLiveHooks(envelope, delivery);
		return runs ? { ...replaced, run: envelope, mayComeTwice } : replaced;
	}
	if (!isCompletion) return { status: 200, reason: 'it is not a completed response' };
	if (!isFor(envelope, key.formId)) return { status: 403, reason: 'it is for another form' };
	return { status: 200, reason: 'the workflow runs', run: envelope, mayComeTwice };
}

/** Decides how to answer a delivery; has no side effects. */
export function judge(delivery: Delivery): Verdict {
	const { body, token, state, formId, isPolling, isMadeHere, now } = delivery;
	if (!isIdentified(body)) return { status: 400, reason: 'it has another shape' };
	// A polling node has no hook: only a leftover one can deliver.
	if (isPolling) return { status: 410, reason: 'there is no subscription any more' };
	if (token === undefined) return { status: 403, reason: 'it has no key' };

	const key = findKey(state?.keys ?? [], token);
	if (key) return judgeKnown(body, key, delivery);
	const current = state?.generation ?? 0;
	if (token.generation < current) return replaced;
	const isPossible =
		!isMadeHere &&
		token.generation > current &&
		token.generation <= now + timing.clockSkewMs &&
		isFor(body, formId);
	return { status: 403, reason: 'its key is not known', lookUp: isPossible };
}

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

/**
 * Answers a delivery. Never throws, because n8n would record a failed execution. Never writes static data,
 * which would overwrite that of a concurrent subscription.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const formId = formIdOf(context);
	const state = isTest ? testState(context) : productionState(context);
	const body: unknown = context.getBodyData();
	let verdict = judge({
		body,
		token: tokenIn(context.getQueryData()),
		state,
		formId,
		isPolling: !isTest && readAuthentication(context) === 'apiKey',
		isMadeHere: isTest || isMadeHere(context),
		isHookLost: subscriptionOf(context)?.isHookLost === true,
		now: Date.now(),
	});
	if (verdict.lookUp) {
		const found = await lookUp(context, body as ResponseEnvelope, formId, state);
		if (found) verdict = { status: 200, reason: 'the API has it', run: found, mayComeTwice: true };
	}
	const { status, reason, mayComeTwice } = verdict;
	const isTaken =
		verdict.run !== undefined &&
		!isTest &&
		skipsDuplicates(context) &&
		takeAgain(context, responseKey(verdict.run));
	const run = isTaken ? undefined : verdict.run;
	// The live hook's run then claims the response first: nothing else tells apart two that come at once.
	if (run && mayComeTwice && !isTest) await sleep(timing.apartMs);
	context.logger.debug(`"${context.getNode().name}" answered a delivery ${status}: ${reason}`);

	const workflowData = run && [[received({ envelope: run, isRecovered: false })]];
	if (status === 200 && workflowData) return { workflowData };
	context.getResponseObject().status(status).json({ message: MESSAGES[status] });
	return workflowData ? { noWebhookResponse: true, workflowData } : { noWebhookResponse: true };
}
