import type { ApiRequest, Outcome } from './types';

/** What no other try mends: certificates, what cannot be sent, a refusal of the OAuth2 server (Node, axios, n8n's client-oauth2). */
const PERMANENT =
	/CERT|SIGNATURE|SELF_SIGNED|SSL|TLS|^(EPROTO|EAUTH|ESTATUS|ERR_BAD_REQUEST)$|^ERR_INVALID_/;

/** What n8n's client for OAuth2 calls a token address that refuses or says something else (n8n, client-oauth2). */
const TOKEN_REFUSED = /^(EAUTH|ESTATUS)$/;

/** Node's words for a failed connection, where an earlier n8n (1.123) keeps no more: its code, and where it failed. */
const CONNECTION = /\b(?:connect|getaddrinfo) (E[A-Z_]+)(?: ([^\s;,]+))?/;

/** n8n's words for an OAuth2 credential without a token, and for one whose token cannot be renewed (n8n-core). */
const NO_TOKEN =
	/not connected|Unable to sign without access token|reading 'accessToken'|needs to be reconnected|OAuth2 (access )?token/i;

/** The statuses of success, by method (playground/service/openapi.json). */
const SUCCESS = { GET: 200, POST: 201, DELETE: 204 };

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
	response?: { status: number; headers?: object; data?: unknown };
}

/** What n8n's request helper gives. */
export interface Answer {
	statusCode: number;
	headers?: object;
	body?: unknown;
}

/** An error and what it was caused by, outermost first; n8n wraps what its clients throw once or twice. */
function chainOf(error: unknown): RequestError[] {
	const chain: RequestError[] = [];
	for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one);
	return chain;
}

/** The address that failed where it is not the one that was asked: n8n sends by HTTP_PROXY and HTTPS_PROXY. */
function proxyIn(message: string, asked: string): string | undefined {
	const failedAt = CONNECTION.exec(message)?.[2];
	const { hostname, port, protocol } = new URL(asked);
	const ownPort = port || (protocol === 'https:' ? '443' : '80');
	const isOwn = failedAt === hostname || failedAt?.endsWith(`:${ownPort}`);
	return isOwn ? undefined : failedAt;
}

/** Whether the API says that the resource is absent, rather than whatever else may answer at that address. */
const isAbsence = (status: number, body: unknown): boolean =>
	status === 404 && (body as { code?: unknown } | undefined)?.code === 'not_found';

/**
 * What came of a request that was answered: a success is done only with the documented status and body.
 *
 * @param answer undefined where n8n gives none
 */
export function outcomeOfAnswer(request: ApiRequest, answer: Answer | undefined): Outcome {
	const { statusCode: status = SUCCESS.GET, headers, body } = answer ?? {};
	if (request.absentIsSuccess && isAbsence(status, body)) return { kind: 'done', body: undefined };
	if (status >= 300) {
		return { kind: 'answer', status, headers: { ...headers } as Record<string, string>, body };
	}
	const isAsDocumented = status === SUCCESS[request.method] && request.answer(body) === undefined;
	return isAsDocumented ? { kind: 'done', body } : { kind: 'unreadable', status, body };
}

/**
 * What came of a request that ended in an error: of the service, or of the OAuth2 server that n8n asked
 * for a token before.
 *
 * @param asked left out where nothing was asked for but a token
 */
export function outcomeOfError(
	error: Error,
	asked?: { request: ApiRequest; baseUrl: string },
): Outcome {
	const chain = chainOf(error);
	const { httpCode, context, messages } = error as RequestError;
	const told = chain[1]?.message ?? messages?.[0] ?? error.message;
	const source: Partial<RequestError> = chain.find(
		({ response, config }) => response !== undefined || config !== undefined,
	) ??
		chain.find(({ code }) => code !== undefined) ?? {
			message: told,
			code: httpCode ?? CONNECTION.exec(told)?.[1],
		};
	const { message = '', code, response } = source;
	const { url } = source.config ?? {};
	const isElsewhere = URL.canParse(url ?? '') && !(asked && url?.startsWith(asked.baseUrl));
	const isTransient = code !== undefined && !PERMANENT.test(code);
	if (code === 'ERR_CANCELED' || message === 'canceled') return { kind: 'canceled' };
	if (!asked || isElsewhere || TOKEN_REFUSED.test(code ?? '') || NO_TOKEN.test(told)) {
		const host = isElsewhere ? new URL(url!).host : undefined;
		const status = response?.status ?? source.status;
		const isRetriable = isTransient || status === 429;
		return { kind: 'tokenless', host, status, code, message, isTransient: isRetriable };
	}
	if (response) {
		const { status, headers, data } = response;
		return outcomeOfAnswer(asked.request, { statusCode: status, headers, body: data });
	}
	if (/^\d{3}$/.test(code ?? '')) {
		return outcomeOfAnswer(asked.request, { statusCode: Number(code), body: context?.data });
	}
	if (!isTransient) return { kind: 'impossible', code, message };
	return { kind: 'fault', code, proxy: proxyIn(message, asked.baseUrl) };
}
