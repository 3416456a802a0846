import type { IHttpRequestOptions } from 'n8n-workflow';
import type { ApiContext, KeptCredential } from './keptCredential';
import type { Answer } from './outcome';
import { outcomeOfAnswer, outcomeOfError } from './outcome';
import type { ApiRequest, Outcome } from './types';

export interface ExchangeOptions {
	/** The type of the credential, by its name in n8n. */
	type: string;
	credential: KeptCredential;
	/** Whether n8n can get another token when the service refuses the one it has. */
	isRenewable: boolean;
	baseUrl: string;
	timeoutMs: number;
	signal?: AbortSignal;
}

/** n8n puts a token of another type into the URL, and 1.123 does not ask the credential before. */
const BEARER = { tokenType: 'Bearer' };

/**
 * Sends a request once, and once more where its OAuth2 token had expired. n8n would renew it for each
 * request that is refused, an early one (2.20 still) with the same refresh token, upon which a service may
 * revoke all. So of those that are refused at the same time one renews it for all.
 */
export function createExchange(
	context: ApiContext,
	{ type, credential, isRenewable, baseUrl, timeoutMs, signal }: ExchangeOptions,
): (request: ApiRequest) => Promise<Outcome> {
	async function send(request: ApiRequest): Promise<Outcome> {
		const { method, path, query, body } = request;
		const options: IHttpRequestOptions = {
			method,
			url: baseUrl + path,
			qs: query,
			body,
			json: true,
			timeout: timeoutMs,
			returnFullResponse: true,
			// A status that is thrown loses its headers, and n8n renews a token then (n8n-core, requestOAuth2).
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			abortSignal: signal,
		};
		try {
			const { httpRequestWithAuthentication } = context.helpers;
			const answer = await httpRequestWithAuthentication.call(credential.keeper, type, options, {
				oauth2: BEARER,
			});
			return outcomeOfAnswer(request, answer as Answer | undefined);
		} catch (error) {
			return outcomeOfError(error as Error, { request, baseUrl });
		}
	}

	let renewals = 0;
	/** Under way; gives what came instead of a token. */
	let renewing: Promise<Outcome | undefined> | undefined;

	async function renew(): Promise<Outcome | undefined> {
		try {
			const { refreshOAuth2Token } = context.helpers;
			await credential.renew(async (reader) => await refreshOAuth2Token.call(reader, type));
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
