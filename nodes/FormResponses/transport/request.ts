import { NodeOperationError, sleep } from 'n8n-workflow';
import { assertApiKey } from './apiKey';
import { assertBaseUrl } from './baseUrl';
import { apiError } from './errors';
import { createExchange } from './exchange';
import type { ApiContext, CachedCredential } from './cachedCredential';
import { cacheCredential } from './cachedCredential';
import { createPatience } from './patience';
import { createRateLimiter } from './rateLimiter';
import { endWithin, isTimeout } from './timeLimit';
import { askedWaitMs, dated, isDeferred, isTransient, retryDelay } from './retry';
import type { Api, ApiRequest, Authentication, Failure, Outcome } from './types';

export interface ConnectOptions {
	authentication: Authentication;
	/** Maximum length of one wait, and of the time since the service last accepted a request of this run. */
	maxWaitMs?: number;
	/** Deadline for everything, from `connect` on; for calls that somebody waits for. */
	withinMs?: number;
	/** How long one request may take. */
	requestMs?: number;
	/** Maximum number of requests in flight. */
	maxConcurrency?: number;
	/** Cancels waits and queued requests. */
	signal?: AbortSignal;
	/** Called after the final failure of a request, before queued ones proceed. */
	onFailure?: () => void;
	/** Strings to mask, besides the credential's own secrets. */
	secrets?: string[];
}

const REQUEST_MS = 60_000;
const ACTION_WAIT_MS = 5 * 60_000;
/** What each retry has for its answer: one that is cut off may have made a hook, which nobody knows then. */
const ANSWER_MS = 1_000;

export const credentialTypeOf = (authentication: Authentication) =>
	authentication === 'apiKey' ? 'formResponsesApi' : 'formResponsesOAuth2Api';

/** Sleeps, or returns when the run is canceled; leaves no listener behind. */
async function sleepUnless(signal: AbortSignal | undefined, ms: number): Promise<void> {
	if (ms <= 0 || signal?.aborted) return;
	await new Promise<void>((resolve) => {
		const end = () => {
			signal?.removeEventListener('abort', end);
			resolve();
		};
		signal?.addEventListener('abort', end);
		void sleep(ms).then(end);
	});
}

/** Turns the UserError of a credential check into the node's error. */
function checked<Value>(
	context: ApiContext,
	assert: (value: unknown) => Value,
	value: unknown,
): Value {
	try {
		return assert(value);
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error);
	}
}

/** @throws NodeOperationError if it took too long: n8n may have to ask a vault for it */
async function readCredential(
	context: ApiContext,
	authentication: Authentication,
	limitMs: number,
	signal?: AbortSignal,
): Promise<CachedCredential> {
	const read = async () => await cacheCredential(context, credentialTypeOf(authentication));
	return await endWithin(limitMs, signal, read).catch((error: Error) => {
		if (!isTimeout(error)) throw error;
		const message = `Could not read the credential: ${error.message}. Try again later.`;
		throw new NodeOperationError(context.getNode(), message);
	});
}

/** @throws UserError, or NodeOperationError if it took too long */
export async function readBaseUrl(
	context: ApiContext,
	authentication: Authentication,
	withinMs: number,
): Promise<string> {
	return assertBaseUrl((await readCredential(context, authentication, withinMs)).values.baseUrl);
}

/** Sends each request until its outcome is final. */
function createSend(
	options: ConnectOptions,
	endsAt: number,
	exchange: (request: ApiRequest) => Promise<Outcome>,
	errorOf: (
		failure: Pick<Failure, 'request' | 'outcome' | 'attempts' | 'askedWaitMs'>,
	) => Promise<Error>,
): Api['send'] {
	const { maxWaitMs = ACTION_WAIT_MS, signal } = options;
	const waitsEndBy = endsAt - ANSWER_MS;
	const patience = createPatience({ maxWaitMs, waitsEndBy, startedAt: performance.now() });
	const wait = async (ms: number) => await sleepUnless(signal, ms);
	const isCanceled = () => signal?.aborted === true;
	const { maxConcurrency = 1 } = options;
	const limiter = createRateLimiter({
		maxConcurrency,
		now: () => performance.now(),
		sleep: wait,
		isCanceled,
	});

	async function outcomeOf(request: ApiRequest): Promise<Outcome> {
		if (isCanceled()) return { kind: 'canceled' };
		return patience.refusal(performance.now()) ?? dated(await exchange(request), Date.now());
	}

	return async <Body>(request: ApiRequest) => {
		let [refusals, faults] = [0, 0];
		for (;;) {
			const release = await limiter.acquire();
			const outcome = await outcomeOf(request);
			const attempt = { method: request.method, outcome, refusals, faults };
			const delay = retryDelay(attempt, Math.random());
			const isPermitted = patience.permits(attempt, performance.now(), delay);
			const isRefused = isDeferred(outcome);
			if (isRefused) refusals++;
			else if (isTransient(outcome)) faults++;
			if (outcome.kind !== 'done' && !isPermitted) {
				const error = await errorOf({
					...{ request, outcome, attempts: faults },
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

/**
 * Connects to the service with the node's credential.
 *
 * @throws NodeOperationError if the base URL or API key is invalid; nothing is sent
 */
export async function connect(context: ApiContext, options: ConnectOptions): Promise<Api> {
	const { authentication, requestMs = REQUEST_MS, withinMs = Infinity, signal } = options;
	const type = credentialTypeOf(authentication);
	const endsAt = performance.now() + withinMs;
	const limitMs = () => Math.min(requestMs, endsAt - performance.now());
	const credential = await readCredential(context, authentication, limitMs(), signal);
	const baseUrl = checked(context, assertBaseUrl, credential.values.baseUrl);
	if (authentication === 'apiKey') checked(context, assertApiKey, credential.values.apiKey);
	const isRenewable = authentication === 'oAuth2';
	let answeredAt: number | undefined;
	const exchange = createExchange(context, {
		onAnswer: ({ date }) => (answeredAt = Date.parse(date ?? '') || undefined),
		type,
		credential,
		isRenewable,
		baseUrl,
		limitMs,
		signal,
	});
	const send = createSend(options, endsAt, exchange, async (failure) => {
		const secrets = [...(options.secrets ?? []), ...(await credential.secrets())];
		return apiError(context.getNode(), { ...failure, authentication, baseUrl, secrets });
	});
	const warn = (message: string) => context.logger.warn(message);
	return { baseUrl, authentication, send, answeredAt: () => answeredAt, warn };
}
