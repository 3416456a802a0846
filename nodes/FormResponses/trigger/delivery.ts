import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readAuthentication, readFormId } from '../parameters';
import { keyOf } from '../processed';
import { getResponse } from '../transport/endpoints';
import { connect } from '../transport/request';
import { isResponseEnvelope } from '../transport/shapes';
import type { ResponseEnvelope } from '../transport/types';
import { handedOver, handOver } from './handedOver';
import type { DeliveryKey } from './key';
import { isSameKey, keyIn } from './key';
import type { KeptKey, SubscriptionState } from './state';
import { productionState, testState } from './state';

/** The service waits for the answer meanwhile. */
const LOOK_UP_MS = 10_000;
const CLOCK_SKEW_MS = 60_000;
const EVENT = 'response.completed';

/** How a delivery is answered, and what runs. */
export interface Verdict {
	status: 200 | 400 | 403 | 410;
	message: string;
	/** The response to run the workflow with. */
	run?: ResponseEnvelope;
	/** The key is not known here: accept the response only if the API has it for the right form. */
	lookUp?: boolean;
}

export interface Delivery {
	body: unknown;
	key: DeliveryKey | undefined;
	state: SubscriptionState | undefined;
	/** The form of the node's parameters. */
	formId: string | undefined;
	isPolling: boolean;
	now: number;
}

const sameForm = (envelope: ResponseEnvelope, formId: string | undefined) =>
	envelope.data.formId.toLowerCase() === formId;

function judgeKnown(envelope: ResponseEnvelope, kept: KeptKey, current: number): Verdict {
	const isOurs = sameForm(envelope, kept.formId);
	const isCompletion = envelope.event === EVENT;
	if (kept.generation < current) {
		const run = isOurs && isCompletion ? envelope : undefined;
		return { status: 410, message: 'This subscription was replaced by a newer one', run };
	}
	if (!isCompletion) return { status: 200, message: 'Ignored: not a completed response' };
	if (!isOurs) return { status: 403, message: 'The response belongs to another form' };
	return { status: 200, message: 'Workflow was started', run: envelope };
}

/** The answer to a delivery, without asking anybody and without changing anything. */
export function judge({ body, key, state, formId, isPolling, now }: Delivery): Verdict {
	if (!isResponseEnvelope(body)) {
		return { status: 400, message: 'The body is not a completed response in JSON' };
	}
	// A node that polls has no hook: only one left over from before can deliver.
	if (isPolling) return { status: 410, message: 'There is no subscription any more' };
	if (key === undefined) return { status: 403, message: 'The key of the subscription is missing' };

	const current = state?.generation ?? 0;
	// All of them are compared, so that the time taken does not tell which one came close.
	const [kept] = (state?.keys ?? []).filter((candidate) => isSameKey(candidate, key));
	if (kept) return judgeKnown(body, kept, current);
	if (key.generation < current) {
		return { status: 410, message: 'This subscription was replaced by a newer one' };
	}
	if (
		key.generation === current ||
		key.generation > now + CLOCK_SKEW_MS ||
		!sameForm(body, formId)
	) {
		return { status: 403, message: 'The key of the subscription is wrong' };
	}
	return { status: 403, message: 'The key of the subscription is not known', lookUp: true };
}

/** Static data may not be saved yet, or be lost: what the API itself says can be trusted. */
async function lookUp(
	context: IWebhookFunctions,
	envelope: ResponseEnvelope,
	formId: string | undefined,
): Promise<ResponseEnvelope | undefined> {
	try {
		const limits = { totalWaitMs: LOOK_UP_MS, timeoutMs: LOOK_UP_MS };
		const api = await connect(context, { authentication: 'oAuth2', ...limits });
		const found = await getResponse(api, envelope.data.responseId);
		return sameForm(found, formId) ? found : undefined;
	} catch (error) {
		context.logger.warn(
			`A delivery with an unknown key could not be looked up: ${(error as Error).message}`,
		);
		return undefined;
	}
}

function formIdOf(context: IWebhookFunctions): string | undefined {
	try {
		return readFormId(context);
	} catch {
		return undefined;
	}
}

/**
 * Answers a delivery. It never throws, which n8n would record as a failed execution, and writes no
 * static data, which would overwrite that of a subscription being made meanwhile.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const formId = formIdOf(context);
	const delivery: Delivery = {
		body: context.getBodyData(),
		key: keyIn(context.getQueryData()),
		state: isTest ? testState(context) : productionState(context),
		formId,
		isPolling: !isTest && readAuthentication(context) === 'apiKey',
		now: Date.now(),
	};
	let verdict = judge(delivery);
	if (verdict.lookUp) {
		const found = await lookUp(context, delivery.body as ResponseEnvelope, formId);
		if (found) verdict = { status: 200, message: 'Workflow was started', run: found };
	}
	const { status, message, run } = verdict;
	if (!run)
		context.logger.debug(`"${context.getNode().name}" answered a delivery ${status}: ${message}`);

	if (run && !isTest) handedOver(context).add(keyOf(run));
	const workflowData = run && [[handOver(run, false)]];
	if (status === 200 && workflowData) return { workflowData };
	context.getResponseObject().status(status).json({ message });
	return workflowData ? { noWebhookResponse: true, workflowData } : { noWebhookResponse: true };
}
