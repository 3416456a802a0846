import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { responseKey } from '../../responseKey';
import { getResponse } from '../../transport/endpoints';
import { isAbsent } from '../../transport/errors';
import { connect } from '../../transport/request';
import { responseWith } from '../../transport/shapes';
import type { Api, ResponseEnvelope } from '../../transport/types';
import { perNode } from '../state/identity';
import { keep } from '../state/known';
import { timing } from '../timing';
import { isFor } from './judge';

const AT_ONCE = 10;
/** Anyone who knows the URL can send unknown keys. With those in flight, 30 requests find nothing. */
const FRUITLESS = 21;
/** n8n keeps some megabytes for each delivery that waits (n8n, live-webhooks.ts). */
const WAITING = 100;

/** The questions of a minute share a connection, and so its pace and its end. */
interface Round {
	api: Promise<Api>;
	fruitless: number;
	end: AbortController;
}

interface Questions {
	round?: Round;
	/** Keys of delivered responses that are asked for. */
	waiting: Set<string>;
	/** Keys of found responses. */
	found: Set<string>;
	/** Keys of delivered responses that could not be settled. */
	unsettled: Set<string>;
}

const questionsOf = perNode(
	(): Questions => ({ waiting: new Set(), found: new Set(), unsettled: new Set() }),
);

function roundOf(context: IWebhookFunctions): Round {
	const questions = questionsOf(context);
	if (questions.round) return questions.round;
	const end = new AbortController();
	const api = connect(context, {
		authentication: 'oAuth2',
		maxConcurrency: AT_ONCE,
		maxWaitMs: timing.questionMs,
		withinMs: timing.roundMs + timing.questionMs,
		signal: end.signal,
	});
	void sleep(timing.roundMs).then(() => (questions.round = undefined));
	return (questions.round = { api, fruitless: 0, end });
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
	/** Responses completed earlier do not count; '' or missing for those of a day. */
	since?: string;
}

/** Whether a look would take the response for one of the subscription. */
function isCovered(found: ResponseEnvelope, { formId, since }: Question): boolean {
	const earliest = Math.max(since ? Date.parse(since) : 0, Date.now() - timing.downtimeMs);
	return isFor(found, formId) && Date.parse(found.data.completedAt) >= earliest;
}

async function ask(context: IWebhookFunctions, { api, end }: Round, question: Question) {
	const { found } = questionsOf(context);
	const { responseId } = question.delivered.data;
	try {
		const response = await getResponse(await api, responseId, responseWith);
		if (!isCovered(response, question)) return 'foreign';
		if (found.has(responseKey(response))) return 'repeated';
		keep(found, responseKey(response));
		return response;
	} catch (error) {
		if (isAbsent(error as Error)) return 'foreign';
		const warning = `A delivery could not be looked up: ${(error as Error).message}`;
		if (!end.signal.aborted) context.logger.warn(warning);
		return 'unsettled';
	}
}

async function askInRound(context: IWebhookFunctions, question: Question): Promise<Settled> {
	const round = roundOf(context);
	const settled = await ask(context, round, question);
	if (typeof settled === 'string' && ++round.fruitless >= FRUITLESS) round.end.abort();
	return settled;
}

/** Asks the service for a response that was delivered with a key that proves nothing. */
export async function settle(context: IWebhookFunctions, question: Question): Promise<Settled> {
	const { found, unsettled, waiting } = questionsOf(context);
	const key = responseKey(question.delivered);
	if (found.has(key)) return 'repeated';
	if (waiting.has(key)) return 'unsettled';
	const isFull = waiting.size >= WAITING;
	waiting.add(key);
	const settled = isFull ? 'unsettled' : await askInRound(context, question);
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
