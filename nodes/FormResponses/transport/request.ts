import { sleep } from 'n8n-workflow';
import { createMaxWait } from './maxWait';
import { createRateLimiter } from './rateLimiter';
import { askedWaitMs, dated, isDeferred, isTransient, retryDelay } from './retry';
import type { Api, ApiRequest, Failure, Outcome } from './types';

export interface SendOptions {
	/** Maximum length of one wait, and of the time since the service last accepted a request of this run. */
	maxWaitMs?: number;
	/** Maximum number of requests in flight. */
	maxConcurrency?: number;
	/** Cancels waits and queued requests. */
	signal?: AbortSignal;
	/** Called after the final failure of a request, before queued ones proceed. */
	onFailure?: () => void;
}

/** What each retry has for its answer: one that is cut off may have made a hook, which nobody knows then. */
const ANSWER_MS = 1_000;

/** Sleeps, or returns when the run is canceled; leaves no listener behind. */
async function sleepUnless(signal: AbortSignal | undefined, ms: number): Promise<void> {
	if (signal?.aborted) return;
	await new Promise<void>((resolve) => {
		const end = () => {
			signal?.removeEventListener('abort', end);
			resolve();
		};
		signal?.addEventListener('abort', end);
		void sleep(ms).then(end);
	});
}

/** Sends each request until its outcome is final. */
export function createSend(
	options: SendOptions,
	endsAt: number,
	sendNow: (request: ApiRequest) => Promise<Outcome>,
	errorOf: (
		failure: Pick<Failure, 'request' | 'outcome' | 'attempts' | 'askedWaitMs'>,
	) => Promise<Error>,
): Api['send'] {
	const { maxWaitMs, maxConcurrency = 1, signal } = options;
	const now = () => performance.now();
	const waitsEndBy = endsAt - ANSWER_MS;
	const maxWait = createMaxWait({ maxWaitMs, waitsEndBy, startedAt: now() });
	const wait = async (ms: number) => await sleepUnless(signal, ms);
	const isCanceled = () => signal?.aborted === true;
	const acquire = createRateLimiter({ maxConcurrency, now, sleep: wait, isCanceled });

	async function outcomeOf(request: ApiRequest): Promise<Outcome> {
		if (isCanceled()) return { kind: 'canceled' };
		return maxWait.refusal(now()) ?? dated(await sendNow(request), Date.now());
	}

	return async <Body>(request: ApiRequest) => {
		let [refusals, faults] = [0, 0];
		for (;;) {
			const release = await acquire();
			const outcome = await outcomeOf(request);
			const attempt = { method: request.method, outcome, refusals, faults };
			const delay = retryDelay(attempt, Math.random());
			const isPermitted = maxWait.permits(attempt, now(), delay);
			const isRefused = isDeferred(outcome);
			if (isRefused) refusals++;
			else if (isTransient(outcome)) faults++;
			if (outcome.kind !== 'done' && !isPermitted) {
				const error = await errorOf({
					request,
					outcome,
					attempts: faults,
					askedWaitMs: askedWaitMs(outcome),
				});
				options.onFailure?.();
				void release(isRefused ? 0 : undefined);
				throw error;
			}
			const sooner = release(isRefused ? retryDelay(attempt, 0) : undefined);
			if (outcome.kind === 'done') return outcome.body as Body;
			await Promise.race([wait(delay), sooner]);
		}
	};
}
