import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Settings } from './settings.mts';
import type { Store } from './store/store.mts';
import type { Delivery, Envelope, Hook } from './types.mts';

type Context = { store: Store; settings: Settings; closing: AbortSignal };
type Message = { hook: Hook; responseId: string; body: string; ended: AbortSignal };
type Outcome = { status: number | null; error: string | null };

const maxConcurrency = 50;

/** fetch hides the reason of a network error in `cause`; its message can contain the URL. */
const reasonOf = ({ name, cause }: Error, timeoutMs: number): string =>
	name === 'TimeoutError'
		? `no answer within ${timeoutMs} ms`
		: ((cause as { code?: string } | undefined)?.code ?? 'request failed');

async function post({ hook, body, ended }: Message, timeoutMs: number): Promise<Outcome> {
	try {
		const response = await fetch(hook.targetUrl, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', 'User-Agent': 'form-service' },
			body,
			redirect: 'manual',
			signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ended]),
		});
		await response.arrayBuffer();
		return { status: response.status, error: null };
	} catch (error) {
		return { status: null, error: reasonOf(error as Error, timeoutMs) };
	}
}

async function attempt(message: Message, timeoutMs: number): Promise<Delivery> {
	const { id: hookId, formId, targetUrl } = message.hook;
	const { responseId } = message;
	const startedAt = new Date().toISOString();
	const start = performance.now();
	const outcome = await post(message, timeoutMs);
	const durationMs = Math.round(performance.now() - start);
	return {
		id: randomUUID(),
		hookId,
		formId,
		responseId,
		targetUrl,
		...outcome,
		startedAt,
		durationMs,
	};
}

const isFinal = ({ status }: Delivery): boolean =>
	status === 410 || (status !== null && status >= 200 && status < 300);

export function createDeliveries({ store, settings, closing }: Context) {
	const queue = new PQueue({ concurrency: maxConcurrency });
	let forgetting = new AbortController();

	const isWanted = ({ hook, ended }: Message): boolean =>
		!ended.aborted && (!settings.removalDropsDeliveries || store.hooks.has(hook.id));

	function record(delivery: Delivery): void {
		store.deliveries.add(delivery);
		if (delivery.status === 410) store.hooks.remove(delivery.hookId);
	}

	/** Waits for the first try only, and returns it if there was one. */
	async function send(
		message: Message,
		waitMs: number,
		[next, ...later]: number[],
	): Promise<Delivery[]> {
		if (waitMs > 0) {
			await sleep(waitMs, undefined, { ref: false, signal: message.ended }).catch(() => {});
		}
		return await queue.add(async (): Promise<Delivery[]> => {
			if (!isWanted(message)) return [];
			const delivery = await attempt(message, settings.deliveryTimeoutMs);
			if (message.ended.aborted) return [delivery];
			record(delivery);
			if (next !== undefined && !isFinal(delivery)) void send(message, next * 1_000, later);
			return [delivery];
		});
	}

	return {
		/** Delivers to each current hook of the form. */
		async deliver(envelope: Envelope): Promise<Delivery[]> {
			const { formId, responseId } = envelope.data;
			const { deliveryDelayMs, deliveryRetriesSeconds } = settings;
			const body = JSON.stringify(envelope);
			const ended = AbortSignal.any([closing, forgetting.signal]);
			const sending = store.hooks
				.ofForm(formId)
				.map((hook) =>
					send({ hook, responseId, body, ended }, deliveryDelayMs, deliveryRetriesSeconds),
				);
			return (await Promise.all(sending)).flat();
		},
		/** Drops what waits, cuts off what is sent, and records nothing of either. */
		forget(): void {
			forgetting.abort();
			forgetting = new AbortController();
		},
		settled: async () => await queue.onIdle(),
	};
}
