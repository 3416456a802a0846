import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId } from '../../parameters';
import { responseKey } from '../../responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import { tokenIn } from '../state/deliveryToken';
import { received } from '../received';
import { isMadeHere, productionState, subscriptionOf, testState } from '../state/storedState';
import { timing } from '../timing';
import { judge } from './judge';
import { liveGeneration, overlaps } from './overlap';
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

interface Answer {
	status: keyof typeof MESSAGES;
	/** For n8n's log. */
	reason: string;
	/** What the workflow runs with. */
	run?: ResponseEnvelope;
	/** Whether the live hook may deliver the response to another process at the same time. */
	mayComeTwice?: boolean;
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

async function answerTo(context: IWebhookFunctions, isTest: boolean): Promise<Answer> {
	const formId = formIdOf(context);
	const state = isTest ? testState(context) : productionState(context);
	const generation = liveGeneration(context, state);
	const token = tokenIn(context.getQueryData());
	const body = context.getBodyData() as unknown as ResponseEnvelope;
	const { runs, ...verdict } = judge({
		body,
		token,
		state,
		generation,
		formId,
		isPolling: !isTest && readAuthentication(context) === 'apiKey',
		isMadeHere: isTest || isMadeHere(context),
		isHookLost: subscriptionOf(context)?.isHookLost === true,
		now: Date.now(),
	});
	if (runs === undefined) return verdict;
	const settled = runs === 'if found' ? await settle(context, body, formId, state) : body;
	const isRefused = verdict.status === 403;
	if (settled === 'foreign') return verdict;
	if (settled === 'unsettled') {
		return isRefused ? { status: 503, reason: 'it could not be looked up' } : verdict;
	}
	const isOther = generation > 0 && token !== undefined && token.generation !== generation;
	const mayComeTwice = isOther && overlaps(context, token.generation);
	const found: Answer = isRefused ? { status: 200, reason: 'the service has it' } : verdict;
	return { ...found, run: settled, mayComeTwice };
}

/**
 * Answers a delivery. Never throws, because n8n would record a failed execution. Never writes static data,
 * which would overwrite that of a concurrent subscription.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const { status, reason, run: answered, mayComeTwice } = await answerTo(context, isTest);
	const isTaken =
		answered !== undefined &&
		!isTest &&
		skipsDuplicates(context) &&
		takeAgain(context, responseKey(answered));
	const run = isTaken ? undefined : answered;
	// The live hook's run then claims the response first: nothing else tells apart two that come at once.
	if (run && mayComeTwice && !isTest) await sleep(timing.apartMs);
	context.logger.debug(`"${context.getNode().name}" answered a delivery ${status}: ${reason}`);

	const isAfterUnsettled = run && !isTest && takeUnsettled(context);
	const item = run && {
		envelope: run,
		isRecovered: false,
		...(isAfterUnsettled && { isAfterUnsettled }),
	};
	const workflowData = item && [[received(item)]];
	if (status === 200 && workflowData) return { workflowData };
	const response = context.getResponseObject();
	if (status === 503) response.setHeader('Retry-After', timing.settledMs / 1_000);
	response.status(status).json({ message: MESSAGES[status] });
	return workflowData ? { noWebhookResponse: true, workflowData } : { noWebhookResponse: true };
}
