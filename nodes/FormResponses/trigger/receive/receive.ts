import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { orDefault } from '../../parameters';
import { responseKey } from '../../transport/responseKey';
import { identifiedResponse } from '../../transport/shapes';
import { endWithin } from '../../transport/timeLimit';
import type { ResponseEnvelope } from '../../transport/types';
import { isWanted } from '../onlyIf';
import type { Received } from '../runInput';
import { received } from '../runInput';
import { isStored, keyIn } from '../state/hookKey';
import type { Memory } from '../state/memory';
import { RESPONSES, trim } from '../state/memory';
import { timing } from '../timing';
import type { Arrival } from './deliveryFacts';
import { countsNow, factsOf, isTaken, liveStateOf } from './deliveryFacts';
import { ask, noteKey, waitMsOf } from './askService';
import type { Reply, Verdict } from './statusTable';
import { ASKED, judge, MESSAGES } from './statusTable';

/** What the sender is told, and what the workflow runs with. */
interface Answer {
	reply: Reply;
	retryMs?: number;
	item?: Received;
}

/** The API names no content type of its deliveries, and n8n parses only `application/json` (n8n, body-parser.ts). */
function bodyOf(context: IWebhookFunctions): unknown {
	const parsed: unknown = context.getBodyData();
	if (identifiedResponse(parsed) === undefined) return parsed;
	const { rawBody } = context.getRequestObject();
	return orDefault<unknown>(() => JSON.parse(rawBody.toString() || '{}'), undefined);
}

/** Notes that a hook brought a response of the form. */
function take({ context, memory, key }: Arrival, item: Received, byLive: boolean): Answer {
	const name = responseKey(item.envelope);
	memory.taken.delete(name);
	memory.taken.set(name, { at: performance.now(), byLive });
	trim(memory.taken, RESPONSES);
	memory.deliveredAt = performance.now();
	if (key) noteKey(memory, key, true);
	const response = context.getResponseObject();
	// n8n could not store the execution, so that it may be delivered again at once.
	response.once('finish', () => response.statusCode >= 500 && memory.taken.delete(name));
	if (isWanted(context, item.envelope)) return { reply: [200, 'it runs'], item };
	return { reply: [200, 'it does not meet Only If'] };
}

/** The verdict on a delivery now; a key that brings what another one brought is known from then on. */
function judged(arrival: Arrival): Verdict {
	const { memory, key } = arrival;
	const facts = factsOf(arrival);
	if (key && typeof facts !== 'string' && facts.isTaken && !facts.isTest) {
		noteKey(memory, key, false);
		const isOurs = facts.isLive || (memory.spare !== undefined && isStored(memory.spare, key));
		if (isOurs) memory.deliveredAt = performance.now();
	}
	return judge(facts);
}

/** Asks the service, after the live hook has had the time to bring the same: that runs without a question. */
async function asked(arrival: Arrival, signal: AbortSignal): Promise<Answer> {
	const { context, memory, key } = arrival;
	const envelope = arrival.body as ResponseEnvelope;
	const isRecent = Date.now() - Date.parse(envelope.data.completedAt) < timing.recentMs;
	const emittedAt = isRecent && liveStateOf(arrival)?.keyHash ? Date.now() : undefined;
	if (emittedAt !== undefined) {
		await sleep(timing.besideMs);
		const verdict = judged(arrival);
		if (verdict !== 'ask') return answered(arrival, verdict);
	}
	const counts = (shown: ResponseEnvelope) =>
		!isTaken(memory, shown) && Object.values(countsNow(arrival, shown)).every(Boolean);
	const shown = await ask({ context, memory, key, envelope, counts, signal });
	if (shown === 'absent') return { reply: ASKED.absent };
	if ('retryMs' in shown) return { reply: ASKED.unsaid, ...shown };
	const item = { envelope: shown, isRecovered: false, isShown: true, emittedAt };
	return take(arrival, item, false);
}

/** The answer where nobody has to be asked. */
function answered(arrival: Arrival, verdict: Exclude<Verdict, 'ask'>): Answer {
	const { context, memory, key, body } = arrival;
	const item = { envelope: body as ResponseEnvelope, isRecovered: false };
	if (verdict === 'run') {
		const isTest = context.getMode() === 'manual';
		return isTest ? { reply: [200, 'it is a test'], item } : take(arrival, item, true);
	}
	// The service drops the hook.
	if (verdict[0] === 410 && key && memory.spare && isStored(memory.spare, key))
		memory.spare = undefined;
	return { reply: verdict };
}

async function answerTo(arrival: Arrival): Promise<Answer> {
	const { memory, key } = arrival;
	const verdict = judged(arrival);
	if (verdict !== 'ask') return answered(arrival, verdict);
	const waitMs = waitMsOf(memory, key);
	const later = (retryMs: number): Answer => ({ reply: ASKED.tooMuch, retryMs });
	if (waitMs !== undefined) return later(waitMs);
	const { questions } = memory;
	questions.all++;
	try {
		return await endWithin(
			timing.answerMs,
			undefined,
			async (signal) => await asked(arrival, signal),
		);
	} catch {
		return later(timing.answerMs);
	} finally {
		questions.all--;
	}
}

/**
 * Answers a delivery. Never throws, because n8n would record a failed execution. Never writes static data,
 * which would overwrite that of a concurrent subscription.
 */
export async function receive(
	context: IWebhookFunctions,
	memory: Memory,
): Promise<IWebhookResponseData> {
	const key = keyIn(context.getQueryData());
	const answer = await answerTo({ context, memory, body: bodyOf(context), key });
	const { retryMs, item } = answer;
	const [status, reason] = answer.reply;
	context.logger.debug(`"${context.getNode().name}" answered a delivery ${status}: ${reason}`);
	const message = { message: MESSAGES[status] };
	// n8n answers once it has stored the execution.
	if (item) return { webhookResponse: message, workflowData: [[received(item)]] };
	const response = context.getResponseObject();
	if (retryMs !== undefined) response.setHeader('Retry-After', Math.ceil(retryMs / 1_000));
	response.status(status).json(message);
	return { noWebhookResponse: true };
}
