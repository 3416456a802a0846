import type { IWebhookFunctions, NodeApiError } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { responseKey } from '../../responseKey';
import { getResponse } from '../../transport/endpoints';
import { connect } from '../../transport/request';
import type { ResponseEnvelope } from '../../transport/types';
import { perNode } from '../state/identity';
import type { TriggerState } from '../state/state';
import { timing } from '../timing';
import { isFor } from './judge';

/** Questions that an intruder may cause: anyone who knows the URL can send unknown keys. */
const SUSPICIOUS = 30;
const AT_ONCE = 10;
const REMEMBERED = 250;
const TURN_MS = 100;

interface Questions {
	/** When questions were asked that found nothing new. */
	suspicious: number[];
	inFlight: number;
	/** Keys of found responses; asking for one again is suspicious. */
	found: Set<string>;
	/** Keys of delivered responses that could not be settled. */
	unsettled: Set<string>;
}

const questionsOf = perNode(
	(): Questions => ({ suspicious: [], inFlight: 0, found: new Set(), unsettled: new Set() }),
);

function keep(keys: Set<string>, key: string) {
	keys.add(key);
	for (const oldest of keys) {
		if (keys.size <= REMEMBERED) break;
		keys.delete(oldest);
	}
}

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
 * - `unsettled`: the service could not be asked in time, or the response is so old that it may be a repeated one.
 */
export type Settled = ResponseEnvelope | 'foreign' | 'unsettled';

function judge(
	found: ResponseEnvelope,
	formId: string | undefined,
	state: TriggerState | undefined,
): Settled {
	const completedAt = Date.parse(found.data.completedAt);
	const isBefore = state?.since !== undefined && completedAt < Date.parse(state.since);
	if (!isFor(found, formId) || isBefore) return 'foreign';
	return completedAt >= Date.now() - timing.freshMs ? found : 'unsettled';
}

async function ask(context: IWebhookFunctions, { data }: ResponseEnvelope, endsAt: number) {
	try {
		const withinMs = endsAt - Date.now();
		const api = await connect(context, { authentication: 'oAuth2', withinMs });
		return await getResponse(api, data.responseId);
	} catch (error) {
		if ((error as NodeApiError).httpCode === '404') return 'foreign';
		context.logger.warn(`A delivery could not be looked up: ${(error as Error).message}`);
		return 'unsettled';
	}
}

async function askInTurn(
	context: IWebhookFunctions,
	delivered: ResponseEnvelope,
	formId: string | undefined,
	state: TriggerState | undefined,
): Promise<Settled> {
	const questions = questionsOf(context);
	const { suspicious, found } = questions;
	const endsAt = Date.now() + timing.questionMs;
	if (!(await takesTurn(questions, endsAt))) return 'unsettled';
	const answer = await ask(context, delivered, endsAt);
	questions.inFlight--;
	const settled = typeof answer === 'string' ? answer : judge(answer, formId, state);
	const isNew = typeof settled !== 'string' && !found.has(responseKey(settled));
	if (isNew) keep(found, responseKey(settled));
	else suspicious.push(Date.now());
	return settled;
}

/** Asks the service for a response that was delivered with a key that proves nothing. */
export async function settle(...asked: Parameters<typeof askInTurn>): Promise<Settled> {
	const settled = await askInTurn(...asked);
	const [context, delivered] = asked;
	const { unsettled } = questionsOf(context);
	if (settled === 'unsettled') keep(unsettled, responseKey(delivered));
	else unsettled.delete(responseKey(delivered));
	return settled;
}

/** Whether deliveries could not be settled since this was last asked. */
export function takeUnsettled(context: IWebhookFunctions): boolean {
	const { unsettled } = questionsOf(context);
	const isAny = unsettled.size > 0;
	unsettled.clear();
	return isAny;
}
