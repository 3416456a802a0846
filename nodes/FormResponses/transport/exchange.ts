import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { ApiContext, KeptCredential } from './keptCredential';
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

const isTokenRefused = (outcome: Outcome) => outcome.kind === 'answer' && outcome.status === 401;
const isAnswered = ({ kind }: Outcome) => kind === 'answer' || kind === 'unreadable';

/**
 * Sends a request once, and once more when its token had expired. Of all requests that are refused at the
 * same time one has the token renewed: an early n8n (2.20 still) would use the refresh token once for each
 * of them, and a service may then revoke all.
 *
 * @returns a function that never throws
 */
export function createExchange(
	context: ApiContext,
	{ type, credential, isRenewable, baseUrl, timeoutMs, signal }: ExchangeOptions,
): (request: ApiRequest) => Promise<Outcome> {
	const answerTo = async (
		{ method, path, query, body }: ApiRequest,
		reader: IAllExecuteFunctions,
		ignoreHttpStatusErrors: IHttpRequestOptions['ignoreHttpStatusErrors'],
	): Promise<IN8nHttpFullResponse> =>
		await context.helpers.httpRequestWithAuthentication.call(reader, type, {
			method,
			url: baseUrl + path,
			qs: query,
			body,
			json: true,
			timeout: timeoutMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors,
			disableFollowRedirect: true,
			abortSignal: signal,
		});

	async function outcomeOf(
		request: ApiRequest,
		answering: Promise<IN8nHttpFullResponse>,
	): Promise<Outcome> {
		try {
			return outcomeOfAnswer(request, await answering);
		} catch (error) {
			return outcomeOfError(error as Error, baseUrl);
		}
	}

	/** How often the token was renewed. */
	let renewals = 0;
	let renewing: Promise<Outcome> | undefined;

	async function sendAndRenew(request: ApiRequest): Promise<Outcome> {
		const answering = credential.withStored(async (reader) => {
			// n8n renews a token only when a 401 is thrown. Of other statuses it then loses the headers,
			const answer = await answerTo(request, reader, { ignore: true, except: [401] });
			// and before 2.9 it knows no exceptions.
			return answer.statusCode === 401 ? await answerTo(request, reader, false) : answer;
		});
		const outcome = await outcomeOf(request, answering);
		if (isAnswered(outcome)) {
			renewals++;
			credential.forget();
		}
		renewing = undefined;
		return outcome;
	}

	return async (request) => {
		const renewalsBefore = renewals;
		const outcome = await outcomeOf(request, answerTo(request, credential.keeper, true));
		if (!isRenewable || !isTokenRefused(outcome)) return outcome;
		if (renewals === renewalsBefore && renewing === undefined) {
			renewing = sendAndRenew(request);
			return await renewing;
		}
		const ofTheFirst = await renewing;
		if (ofTheFirst && !isAnswered(ofTheFirst)) return ofTheFirst;
		return await outcomeOf(request, answerTo(request, credential.keeper, true));
	};
}
