import type { ApiRequest, Outcome } from './types';

/** Permanent errors: certificates, invalid requests, refusals of the OAuth2 server (Node, axios, n8n's client-oauth2). */
const PERMANENT =
	/CERT|SIGNATURE|SELF_SIGNED|SSL|TLS|^(EPROTO|EAUTH|ESTATUS|ERR_BAD_REQUEST)$|^ERR_INVALID_/;

/** Codes for a token URL that refuses or sends an invalid answer (n8n, client-oauth2). */
const TOKEN_REFUSED = /^(EAUTH|ESTATUS)$/;

/** Node's message for a failed connection, which is all that n8n 1.123 keeps: code and address. */
const CONNECTION = /\b(?:connect|getaddrinfo) (E[A-Z_]+)(?: ([^\s;,]+))?/;

/** n8n's messages for an OAuth2 credential without a token, or whose token cannot be renewed (n8n-core). */
const NO_TOKEN =
	/not connected|Unable to sign without access token|reading 'accessToken'|needs to be reconnected|OAuth2 (access )?token/i;

/** Success statuses by method (playground/service/openapi.yaml). */
const SUCCESS = { GET: 200, POST: 201, DELETE: 204 };

/** An error of n8n's HTTP client or OAuth2 client. */
interface RequestError extends Error {
	code?: string;
	status?: number;
	/** If n8n loses the cause of a NodeApiError (1.123, 2.20): the status, or the code of a network fault … */
	httpCode?: string | null;
	/** … or the messages of its clients. */
	messages?: string[];
	context?: { data?: unknown };
	config?: { url?: string };
	response?: { status: number; headers?: object; data?: unknown };
}

/** The result of n8n's request helper. */
export interface Answer {
	statusCode: number;
	headers?: object;
	body?: unknown;
}

/** An error and its causes, outermost first; n8n wraps errors of its clients once or twice. */
function chainOf(error: unknown): RequestError[] {
	const chain: RequestError[] = [];
	for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one);
	return chain;
}

/** The failed address if it is not the requested one: a proxy from HTTP_PROXY or HTTPS_PROXY, or the OAuth2 server. */
function elsewhereIn(message: string, asked: string): string | undefined {
	const failedAt = CONNECTION.exec(message)?.[2];
	const { hostname, port, protocol } = new URL(asked);
	const ownPort = port || (protocol === 'https:' ? '443' : '80');
	const isOwn = failedAt === hostname || failedAt?.endsWith(`:${ownPort}`);
	return isOwn ? undefined : failedAt;
}

/** Whether the API itself answered 404, rather than another server at that address. */
const isAbsence = (status: number, body: unknown): boolean =>
	status === 404 && (body as { code?: unknown } | undefined)?.code === 'not_found';

/**
 * Classifies an answer. Success requires the documented status and body.
 *
 * @param answer undefined if n8n returns nothing
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
 * Classifies an error of the service, or of the OAuth2 server that n8n asked for a token first.
 *
 * @param asked omitted for a token renewal
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
	const { url = '' } = source.config ?? {};
	const isElsewhere = URL.canParse(url) && !(asked && url.startsWith(asked.baseUrl));
	const isTransient = code !== undefined && !PERMANENT.test(code);
	if (code === 'ERR_CANCELED') return { kind: 'canceled' };
	if (!asked || isElsewhere || TOKEN_REFUSED.test(code ?? '') || NO_TOKEN.test(told)) {
		const host = isElsewhere ? new URL(url).host : undefined;
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
	return { kind: 'fault', code, elsewhere: elsewhereIn(message, asked.baseUrl) };
}
