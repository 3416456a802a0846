import { NodeOperationError, sleep } from 'n8n-workflow';
import { assertApiKey } from './apiKey';
import { assertBaseUrl } from './baseUrl';
import { apiError } from './errors';
import { createExchange } from './exchange';
import type { ApiContext } from './keptCredential';
import { keepCredential } from './keptCredential';
import { createRateLimiter } from './rateLimiter';
import { isPutOff, isTransient, retryDelay, shouldRetry } from './retry';
import type { Api, ApiRequest, Authentication, Outcome } from './types';

export interface ConnectOptions {
	authentication: Authentication;
	/** No wait may last longer, or begin later after the last request of this run that the service accepted. */
	maxWaitMs?: number;
	/** No wait may end later than this much after `connect`; for callers that n8n itself times. */
	totalWaitMs?: number;
	/** Where an earlier subscription was made; only used at the origin of the credential's own base URL. */
	baseUrl?: string;
	/** Longest time one request may take. */
	timeoutMs?: number;
	/** Requests in flight at once. */
	maxConcurrency?: number;
	/** Ends waiting and stops requests that are queued. */
	signal?: AbortSignal;
	/** Called when a request has failed for good, before those that are queued go on. */
	onFailure?: () => void;
	/** Strings besides the credential's own which must never be shown. */
	secrets?: string[];
}

const TIMEOUT_MS = 60_000;
const ACTION_WAIT_MS = 5 * 60_000;

const credentialTypeOf = (authentication: Authentication) =>
	authentication === 'apiKey' ? 'formResponsesApi' : 'formResponsesOAuth2Api';

/** Waits, or until the run is canceled; nothing of it stays with the run. */
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

/** What the rule of a credential's field has to say becomes the node's error. */
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

/**
 * Opens the door to the service with the node's credential.
 *
 * @throws NodeOperationError when the credential's base URL or API key cannot be right; nothing is sent then
 */
export async function connect(context: ApiContext, options: ConnectOptions): Promise<Api> {
	const { authentication, maxWaitMs = ACTION_WAIT_MS, totalWaitMs = Infinity, signal } = options;
	const type = credentialTypeOf(authentication);
	const credential = await keepCredential(context, type);
	const credentials = credential.values;
	const ownUrl = checked(context, assertBaseUrl, credentials.baseUrl);
	if (authentication === 'apiKey') checked(context, assertApiKey, credentials.apiKey);

	// The token is for the credential's own origin only.
	const isOwnOrigin =
		options.baseUrl !== undefined && new URL(options.baseUrl).origin === new URL(ownUrl).origin;
	const baseUrl = isOwnOrigin ? options.baseUrl! : ownUrl;
	const waitsEndBy = Date.now() + totalWaitMs;
	const wait = async (ms: number) => await sleepUnless(signal, ms);
	const limiter = createRateLimiter({
		maxConcurrency: options.maxConcurrency ?? 1,
		now: Date.now,
		sleep: wait,
		isCanceled: () => signal?.aborted === true,
	});
	let acceptedAt = Date.now();
	/** A refusal for longer than may be waited: until then nothing is sent, and every request fails by it. */
	let closing: { outcome: Outcome; until: number } | undefined;
	const exchange = createExchange(context, {
		type,
		credential,
		isRenewable: authentication === 'oAuth2',
		baseUrl,
		timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
		signal,
	});

	async function send<Body>(request: ApiRequest): Promise<Body> {
		let [refusals, faults] = [0, 0];
		for (;;) {
			const release = await limiter.acquire();
			if (closing && Date.now() >= closing.until) closing = undefined;
			const outcome: Outcome = signal?.aborted
				? { kind: 'canceled' }
				: (closing?.outcome ?? (await exchange(request)));
			const at = Date.now();
			const attempt = { method: request.method, outcome, refusals, faults, at };
			const isRefused = isPutOff(attempt);
			const delay = shouldRetry(attempt) ? retryDelay(attempt, Math.random()) : 0;
			if (isRefused) refusals++;
			else if (isTransient(outcome)) faults++;
			else acceptedAt = at;
			const isHopeful = Math.max(delay, at - acceptedAt) <= maxWaitMs;
			const mayWait = shouldRetry(attempt) && isHopeful && at + delay <= waitsEndBy;
			if (isRefused && !mayWait) closing ??= { outcome, until: at + delay };
			if (outcome.kind !== 'done' && !mayWait) {
				const error = apiError(context.getNode(), {
					request,
					outcome,
					authentication,
					baseUrl,
					attempts: faults,
					askedWaitMs: isRefused ? delay : undefined,
					secrets: [...(options.secrets ?? []), ...(await credential.secrets())],
				});
				options.onFailure?.();
				void release(isRefused ? 0 : undefined);
				throw error;
			}
			const sooner = release(isRefused ? retryDelay(attempt, 0) : undefined);
			if (outcome.kind === 'done') return outcome.body as Body;
			await Promise.race([wait(delay), sooner]);
		}
	}

	return { baseUrl, authentication, send, warn: (message) => context.logger.warn(message) };
}
