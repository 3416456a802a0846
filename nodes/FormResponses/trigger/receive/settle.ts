import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { responseKey } from '../../responseKey';
import { getResponse } from '../../transport/endpoints';
import { isAbsent } from '../../transport/errors';
import { connect } from '../../transport/request';
import { responseWith } from '../../transport/shapes';
import type { ResponseEnvelope } from '../../transport/types';
import { perNode } from '../state/identity';
import { keep } from '../state/known';
import type { TriggerState } from '../state/state';
import { timing } from '../timing';
import { isFor } from './judge';

/** Questions that an intruder may cause: anyone who knows the URL can send unknown keys. */
const SUSPICIOUS = 30;
const AT_ONCE = 10;
/** n8n keeps some megabytes for each delivery that waits (n8n, live-webhooks.ts). */
const WAITING = 100;
const TURN_MS = 100;

interface Questions {
	/** When questions were asked that found nothing new. */
	suspicious: number[];
	inFlight: number;
	/** By key of the delivered response. */
	waiting: Map<string, Promise<Settled>>;
	/** Keys of found responses. */
	found: Set<string>;
	/** Keys of delivered responses that could not be settled. */
	unsettled: Set<string>;
}

const questionsOf = perNode(
	(): Questions => ({
		suspicious: [],
		inFlight: 0,
		waiting: new Map(),
		found: new Set(),
		unsettled: new Set(),
	}),
);

/** Waits for its turn, and takes it. @returns false if that does not come in time */
async function takesTurn(questions: Questions, endsAt: number): Promise<boolean> {
	const { suspicious } = questions;
	while (Date.now() < endsAt) {
		while (suspicious[0] <= Date.now() - timing.questionsPerMs) suspicious.shift();
		const mayBeInFlight = Math.min(AT_ONCE, SUSPICIOUS - suspicious.length);
		if (questions.inFlight < mayBeInFlight) {
			questions.inFlight++;
			return true;
		}
		if (mayBeInFlight === 0) return false;
		await sleep(TURN_MS);
	}
	return false;
}

/**
 * - a response: the service has it, and the subscription covers it.
 * - `foreign`: the service has none that the subscription covers.
 * - `repeated`: it was found before.
 * - `unsettled`: the service could not be asked in time.
 */
export type Settled = ResponseEnvelope | 'foreign' | 'repeated' | 'unsettled';

export interface Question {
	delivered: ResponseEnvelope;
	formId: string | undefined;
	state: TriggerState | undefined;
}

/** Whether a look would take the response for one of the subscription. */
function isCovered(found: ResponseEnvelope, { formId, state }: Question): boolean {
	const since = state?.since ? Date.parse(state.since) : 0;
	const earliest = Math.max(since, Date.now() - timing.downtimeMs);
	return isFor(found, formId) && Date.parse(found.data.completedAt) >= earliest;
}

async function ask(
	context: IWebhookFunctions,
	question: Question,
	endsAt: number,
): Promise<Settled> {
	try {
		const limits = { withinMs: endsAt - Date.now(), maxWaitMs: timing.questionWaitMs };
		const api = await connect(context, { authentication: 'oAuth2', ...limits });
		const found = await getResponse(api, question.delivered.data.responseId, responseWith);
		return isCovered(found, question) ? found : 'foreign';
	} catch (error) {
		if (isAbsent(error as Error)) return 'foreign';
		context.logger.warn(`A delivery could not be looked up: ${(error as Error).message}`);
		return 'unsettled';
	}
}

async function askInTurn(context: IWebhookFunctions, question: Question): Promise<Settled> {
	const questions = questionsOf(context);
	const { suspicious, found } = questions;
	const endsAt = Date.now() + timing.questionMs;
	if (!(await takesTurn(questions, endsAt))) return 'unsettled';
	const settled = await ask(context, question, endsAt);
	questions.inFlight--;
	if (typeof settled !== 'string' && !found.has(responseKey(settled))) {
		keep(found, responseKey(settled));
		return settled;
	}
	suspicious.push(Date.now());
	return typeof settled === 'string' ? settled : 'repeated';
}

/** Asks the service for a response that was delivered with a key that proves nothing. */
export async function settle(context: IWebhookFunctions, question: Question): Promise<Settled> {
	const { found, unsettled, waiting } = questionsOf(context);
	const key = responseKey(question.delivered);
	if (found.has(key)) return 'repeated';
	const earlier = waiting.get(key);
	if (earlier) {
		const settled = await earlier;
		return typeof settled === 'string' ? settled : 'repeated';
	}
	if (waiting.size >= WAITING) {
		keep(unsettled, key);
		return 'unsettled';
	}
	const asking = askInTurn(context, question);
	waiting.set(key, asking);
	const settled = await asking;
	waiting.delete(key);
	if (settled === 'unsettled') keep(unsettled, key);
	else unsettled.delete(key);
	return settled;
}

/** Whether deliveries could not be settled since this was last asked. */
export function takeUnsettled(context: IWebhookFunctions): boolean {
	const { unsettled } = questionsOf(context);
	const isAny = unsettled.size > 0;
	unsettled.clear();
	return isAny;
}
