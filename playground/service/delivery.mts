import { randomUUID } from 'node:crypto';
import PQueue from 'p-queue';
import type { Settings } from './settings.mts';
import type { Store } from './store/store.mts';
import type { Delivery, Envelope, Hook } from './types.mts';

type Context = { store: Store; settings: Settings; closing: AbortSignal };
type Outcome = { status: number | null; error: string | null };

const maxConcurrency = 50;

/** fetch hides the reason of a network error in `cause`; its message can contain the URL. */
function reasonOf(error: unknown, timeoutMs: number): string {
	if (!(error instanceof Error)) return 'failed';
	if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
	if (error.name === 'AbortError') return 'service stopped';
	const cause = error.cause as { code?: string } | undefined;
	return cause?.code ?? 'request failed';
}

async function post(
	targetUrl: string,
	body: string,
	{ settings, closing }: Context,
): Promise<Outcome> {
	const timeoutMs = settings.deliveryTimeoutMs;
	try {
		const response = await fetch(targetUrl, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', 'User-Agent': 'form-service' },
			body,
			redirect: 'manual',
			signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), closing]),
		});
		await response.arrayBuffer();
		return { status: response.status, error: null };
	} catch (error) {
		return { status: null, error: reasonOf(error, timeoutMs) };
	}
}

export function createDeliveries(context: Context) {
	const { store, closing } = context;
	const queue = new PQueue({ concurrency: maxConcurrency });
	let epoch = 0;

	async function attempt(hook: Hook, responseId: string, body: string): Promise<Delivery> {
		const startedIn = epoch;
		const startedAt = new Date();
		const start = performance.now();
		const outcome = await post(hook.targetUrl, body, context);
		const delivery: Delivery = {
			id: randomUUID(),
			hookId: hook.id,
			formId: hook.formId,
			responseId,
			targetUrl: hook.targetUrl,
			...outcome,
			startedAt: startedAt.toISOString(),
			durationMs: Math.round(performance.now() - start),
		};
		if (startedIn !== epoch) return delivery;
		store.deliveries.add(delivery);
		if (delivery.status === 410) store.hooks.remove(hook.id);
		return delivery;
	}

	return {
		/** Delivers to each current hook of the form. */
		async deliver(envelope: Envelope): Promise<Delivery[]> {
			const hooks = store.hooks.ofForm(envelope.data.formId);
			if (hooks.length === 0) return [];
			const body = JSON.stringify(envelope);
			const startedIn = epoch;
			const records = hooks.map((hook) =>
				queue.add(async () => {
					const isGone = closing.aborted || startedIn !== epoch || !store.hooks.has(hook.id);
					return isGone ? [] : [await attempt(hook, envelope.data.responseId, body)];
				}),
			);
			return (await Promise.all(records)).flat();
		},
		/** Drops queued deliveries, and records no running ones. */
		forget(): void {
			epoch += 1;
		},
		settled: async () => await queue.onIdle(),
	};
}
