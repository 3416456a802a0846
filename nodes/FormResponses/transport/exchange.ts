import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { ApiContext, CachedCredential } from './cachedCredential';
import type { Answer } from './outcome';
import { outcomeOfAnswer, outcomeOfError } from './outcome';
import { endWithin, isTimeout } from './timeLimit';
import type { ApiRequest, Outcome } from './types';

export interface ExchangeOptions {
	/** The credential type's name in n8n. */
	type: string;
	credential: CachedCredential;
	/** Whether n8n can replace a refused token. */
	isRenewable: boolean;
	baseUrl: string;
	/** How long the next request may take, in milliseconds, with all that n8n does for it. */
	limitMs: () => number;
	/** Gets the headers of each answer. */
	onAnswer: (headers: Record<string, string | undefined>) => void;
	/** Cancels requests. */
	signal?: AbortSignal;
}

/** n8n puts other token types into the URL, and 1.123 does not call `preAuthentication`. */
const BEARER = { tokenType: 'Bearer' };

/**
 * Sends a request, and sends it again if its OAuth2 token had expired. n8n would renew the token once per
 * refused request, in older versions (still in 2.20) with the same refresh token, and services may then revoke
 * all tokens. So concurrent refusals share one renewal.
 */
export function createExchange(
	context: ApiContext,
	{ type, credential, isRenewable, baseUrl, limitMs, onAnswer, signal }: ExchangeOptions,
): (request: ApiRequest) => Promise<Outcome> {
	async function send(request: ApiRequest): Promise<Outcome> {
		const { method, path, query, body } = request;
		const options: IHttpRequestOptions = {
			method,
			url: baseUrl + path,
			qs: query,
			body,
			json: true,
			returnFullResponse: true,
			// n8n drops the headers of errors it throws, and renews the token on a thrown status (n8n-core, requestOAuth2).
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		try {
			const { httpRequestWithAuthentication } = context.helpers;
			const answer = await endWithin(limitMs(), signal, async (abortSignal) => {
				// In a run, n8n replaces the signal of the request (n8n-core, httpRequestWithAuthentication).
				const getExecutionCancelSignal = { value: () => abortSignal };
				return (await httpRequestWithAuthentication.call(
					Object.create(credential.reader, { getExecutionCancelSignal }) as IAllExecuteFunctions,
					type,
					{ ...options, abortSignal },
					{ oauth2: BEARER },
				)) as Answer | undefined;
			});
			onAnswer({ ...answer?.headers });
			return outcomeOfAnswer(request, answer);
		} catch (error) {
			const awaitsToken = isTimeout(error as Error) && isRenewable && !credential.hasToken();
			return outcomeOfError(error as Error, awaitsToken ? undefined : { request, baseUrl });
		}
	}

	let renewals = 0;
	/** The running renewal; resolves to its outcome if it failed. */
	let renewing: Promise<Outcome | undefined> | undefined;

	async function renew(): Promise<Outcome | undefined> {
		try {
			const { refreshOAuth2Token } = context.helpers;
			await endWithin(limitMs(), signal, async () => {
				await credential.renew(async (reader) => await refreshOAuth2Token.call(reader, type));
			});
			renewals++;
			return undefined;
		} catch (error) {
			return outcomeOfError(error as Error);
		} finally {
			renewing = undefined;
		}
	}

	return async (request) => {
		const renewalsBefore = renewals;
		const outcome = await send(request);
		const isTokenRefused = outcome.kind === 'answer' && outcome.status === 401;
		if (!isRenewable || !isTokenRefused) return outcome;
		if (renewals === renewalsBefore) {
			const failure = await (renewing ??= renew());
			if (failure) return failure;
		}
		return await send(request);
	};
}
