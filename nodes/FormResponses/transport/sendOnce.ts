import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { ApiContext, CachedCredential } from './cachedCredential';
import type { Answer } from './outcome';
import { outcomeOfAnswer, outcomeOfError } from './outcome';
import { endWithin, isTimeout } from './timeLimit';
import type { ApiRequest, Outcome } from './types';

export interface SendOnceOptions {
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

/** Sends a request with the token or API key that n8n has now. */
export const createSendOnce =
	(
		context: ApiContext,
		{ type, credential, isRenewable, baseUrl, limitMs, onAnswer, signal }: SendOnceOptions,
	) =>
	async (request: ApiRequest): Promise<Outcome> => {
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
	};
