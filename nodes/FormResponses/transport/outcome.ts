import type { IN8nHttpFullResponse } from 'n8n-workflow';
import type { ApiRequest, Outcome } from './types';

/** Faults of the network that may be gone at the next try; the names are Node's and axios's. */
const TRANSIENT =
	/^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ERR_NETWORK|ERR_BAD_RESPONSE|HPE_\w+|UND_ERR_\w+)$/;

/** What n8n's client for OAuth2 calls a token address that refuses or says something else (n8n, client-oauth2). */
const TOKEN_REFUSED = /^(EAUTH|ESTATUS)$/;

/** n8n's words for an OAuth2 credential without a token, and for one whose token cannot be renewed (n8n-core). */
const NO_TOKEN =
	/not connected|Unable to sign without access token|reading 'accessToken'|needs to be reconnected|OAuth2 (access )?token/i;

/** What n8n's HTTP client and its client for OAuth2 throw. */
interface RequestError extends Error {
	code?: string;
	status?: number;
	/** What is left where n8n loses the cause of a NodeApiError (1.123, 2.20): the status, or the code of a fault … */
	httpCode?: string | null;
	/** … or what its clients said. */
	messages?: string[];
	context?: { data?: unknown };
	config?: { url?: string };
	response?: { status: number; headers?: unknown; data?: unknown };
}

/** An error and what it was caused by, outermost first; n8n wraps what its clients throw once or twice. */
function chainOf(error: unknown): RequestError[] {
	const chain: RequestError[] = [];
	for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one);
	return chain;
}

/**
 * What came of a request that ended in an error: of the service, or of the OAuth2 server that n8n asked
 * for a token before.
 *
 * @param baseUrl of the service; left out where nothing was asked for but a token
 */
export function outcomeOfError(error: Error, baseUrl?: string): Outcome {
	const chain = chainOf(error);
	const { httpCode, context, messages } = error as RequestError;
	const told = chain[1]?.message ?? messages?.[0] ?? error.message;
	const codeTold = chain[1]?.code ?? httpCode ?? /\bE[A-Z]{4,}\b/.exec(told)?.[0];
	const source =
		chain.find(({ response, config }) => response !== undefined || config !== undefined) ??
		chain.find(
			({ code }) => code !== undefined && (TRANSIENT.test(code) || TOKEN_REFUSED.test(code)),
		);
	const { message, code } = source ?? { message: told, code: codeTold };
	const { url } = source?.config ?? {};
	const isOurs = baseUrl !== undefined && url?.startsWith(baseUrl);
	const isElsewhere = URL.canParse(url ?? '') && !isOurs;
	const isForToken = baseUrl === undefined || isElsewhere || TOKEN_REFUSED.test(code ?? '');
	const isTransient = code !== undefined && TRANSIENT.test(code);
	if (code === 'ERR_CANCELED' || message === 'canceled') return { kind: 'canceled' };
	if (isForToken || NO_TOKEN.test(told)) {
		const host = isElsewhere ? new URL(url!).host : undefined;
		const status = source?.response?.status ?? source?.status;
		const isRetriable = isTransient || status === 429;
		return { kind: 'tokenless', host, status, code, message, isTransient: isRetriable };
	}
	if (source?.response) {
		const { status, headers, data } = source.response;
		return {
			kind: 'answer',
			status,
			headers: { ...(headers as Record<string, string>) },
			body: data,
		};
	}
	if (/^[45]\d\d$/.test(code ?? '')) {
		return { kind: 'answer', status: Number(code), headers: {}, body: context?.data };
	}
	return isTransient ? { kind: 'fault', code } : { kind: 'impossible', code, message };
}

export function outcomeOfAnswer(request: ApiRequest, answer: IN8nHttpFullResponse): Outcome {
	const { statusCode: status, body } = answer;
	const outcome: Outcome = {
		kind: 'answer',
		status,
		headers: answer.headers as Record<string, string>,
		body,
	};
	const isSuccess = status >= 200 && status < 300;
	if (!isSuccess) return outcome;
	const isExpected = request.status === undefined || request.status === status;
	const isAsDocumented = isExpected && request.answer(body) === undefined;
	return isAsDocumented ? outcome : { kind: 'unreadable', status, body };
}
