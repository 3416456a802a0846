import type { IWebhookFunctions } from 'n8n-workflow';
import { getResponse } from '../../transport/endpoints';
import { isAbsent, retryAfterOf } from '../../transport/errors';
import { connect } from '../../transport/connect';
import type { Api, ResponseEnvelope } from '../../transport/types';
import type { Memory } from '../state/memory';
import type { Key } from '../state/hookKey';
import { trim } from '../state/memory';
import { timing } from '../timing';

/** How many questions are sent at once, and how many may wait: n8n holds 11 MB for each delivery (n8n, live-webhooks.ts). */
const AT_ONCE = 10;
const MAY_WAIT = 60;
/** Whoever knows the URL can make up deliveries: how many cost a request in a minute. */
const IN_VAIN = 30;
/** How many keys that brought something have a count of their own. */
const KEYS = 10;

/** One for each node: it learns once how long to wait. */
async function clientOf(context: IWebhookFunctions, memory: Memory): Promise<Api> {
	const now = performance.now();
	if (memory.client === undefined || memory.client.until < now) {
		const api = connect(context, {
			authentication: 'oAuth2',
			maxConcurrency: AT_ONCE,
			maxWaitMs: timing.answerMs,
			requestMs: timing.answerMs,
		});
		memory.client = { api, until: now + timing.clientMs };
		api.catch(() => (memory.client = undefined));
	}
	return await memory.client.api;
}

/** When deliveries with this key, or with any unknown one, were asked about in vain within the last minute. */
function vainOf({ keys, othersVain }: Memory, key: Key | undefined): number[] {
	const times = keys.get(key?.text ?? '')?.vain ?? othersVain;
	while (times[0] <= performance.now() - timing.vainMs) times.shift();
	return times;
}

/** How long to wait before the service may be asked about a delivery with this key; undefined for no time. */
export function waitMsOf(memory: Memory, key: Key | undefined): number | undefined {
	if (vainOf(memory, key).length >= IN_VAIN) return timing.vainMs;
	return memory.questions.all >= MAY_WAIT ? timing.answerMs : undefined;
}

/** Notes that the key brought a response of the form. One that it brought first earns it a count of its own. */
export function noteKey({ keys, othersVain }: Memory, { text, madeAt }: Key, isFirst: boolean) {
	// Whoever repeats what is known must not push out who brought it.
	if (!isFirst && !keys.has(text) && keys.size >= KEYS) return;
	const known = keys.get(text) ?? { madeAt, since: performance.now(), vain: othersVain };
	if (isFirst && known.vain === othersVain) known.vain = [];
	keys.delete(text);
	keys.set(text, known);
	trim(keys, KEYS);
}

/**
 * - `absent`: the service does not have it, or nothing of it that counts.
 * - `retryMs`: it has it not yet, or does not say, or may not be asked; when to try again.
 */
export type Shown = ResponseEnvelope | 'absent' | { retryMs: number };

interface Question {
	context: IWebhookFunctions;
	memory: Memory;
	key: Key | undefined;
	envelope: ResponseEnvelope;
	/** Whether what is shown is a response that counts. */
	counts: (shown: ResponseEnvelope) => boolean;
	/** Ends the question where the delivery was answered. */
	signal: AbortSignal;
}

/** @param error why the service does not say; it may tell when to ask again */
const unsaid = (error?: Error) => ({ retryMs: (error && retryAfterOf(error)) ?? timing.answerMs });

/** What the service shows of a delivery that anybody may have sent. */
async function shownOf({ context, memory, envelope, counts }: Question): Promise<Shown> {
	const { responseId, completedAt } = envelope.data;
	const api = await clientOf(context, memory);
	try {
		const shown = await getResponse(api, responseId);
		return counts(shown) ? shown : 'absent';
	} catch (error) {
		if (!isAbsent(error as Error)) throw error as Error;
		const ageMs = (api.answeredAt() ?? Date.now()) - Date.parse(completedAt);
		return ageMs < timing.recentMs ? unsaid() : 'absent';
	}
}

/** A place among those that ask at once. @returns gives it back */
async function turnIn({ questions }: Memory): Promise<() => void> {
	if (questions.asking < AT_ONCE) questions.asking++;
	else await new Promise<void>((go) => questions.waiting.push(go));
	return () => {
		const next = questions.waiting.shift();
		if (next) next();
		else questions.asking--;
	};
}

/** Asks the service, unless too much was asked in vain lately, with the delivery's key or with unknown ones. */
export async function ask(question: Question): Promise<Shown> {
	const { memory, key, signal } = question;
	const begunAt = performance.now();
	const giveBack = await turnIn(memory);
	try {
		const vain = vainOf(memory, key);
		if (vain.length >= IN_VAIN) return { retryMs: timing.vainMs };
		// The answer would come too late, and a request would be for nothing.
		if (performance.now() - begunAt > timing.turnMs) return unsaid();
		const shown = await shownOf(question).catch(unsaid);
		if (shown === 'absent' || 'retryMs' in shown) vain.push(performance.now());
		// The delivery was answered, and comes again.
		return signal.aborted ? unsaid() : shown;
	} finally {
		giveBack();
	}
}
