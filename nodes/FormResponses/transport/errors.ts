import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { isObject } from './shapes';
import type { ApiRequest, Authentication, Outcome } from './types';

/** What went wrong with one request, after all retries. */
export interface Failure {
	request: ApiRequest;
	outcome: Outcome;
	authentication: Authentication;
	baseUrl: string;
	/** How many times the request was sent. */
	attempts: number;
	/** Milliseconds the service asked to wait, where waiting that long was not possible. */
	askedWaitMs?: number;
	/** Strings which must not be shown: tokens, keys. */
	secrets: string[];
}

/** What an error item carries beside the message (see `details` of the router). */
export interface ErrorDetails extends JsonObject {
	status: number | null;
	code: string | null;
	hint: string | null;
	docs: string | null;
}

type ErrorBody = Record<'code' | 'message' | 'hint' | 'docs', string>;

const NETWORK_TEXTS: Array<[RegExp, (host: string) => string]> = [
	[
		/^(ENOTFOUND|EAI_AGAIN)$/,
		(host) =>
			`the host name ${host} was not found. Check the Base URL of the credential and the DNS of this n8n`,
	],
	[
		/^ECONNREFUSED$/,
		(host) =>
			`${host} refused the connection. Check the host and port in the Base URL of the credential, and that the form service is running`,
	],
	[/^(ETIMEDOUT|ECONNABORTED)$/, (host) => `${host} did not answer in time. Try again later`],
	[
		/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
		(host) => `${host} cannot be reached from this n8n. Check its network and the Base URL`,
	],
	[
		/CERT|SIGNATURE|SELF_SIGNED|SSL|TLS|^EPROTO$/,
		(host) =>
			`no secure connection to ${host} could be made. Its certificate is not valid or not trusted by this n8n, or the Base URL should begin with http://`,
	],
	[
		/^ERR_INVALID_CHAR$/,
		() => 'the token of the credential has a character that cannot be sent. Enter it again',
	],
];

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const sentences = (...parts: string[]) =>
	parts
		.filter((part) => part !== '')
		.map(sentence)
		.join(' ');

function redact(text: string, secrets: string[]): string {
	return secrets
		.flatMap((secret) => [secret, encodeURIComponent(secret)])
		.filter((secret) => secret !== '')
		.reduce((clean, secret) => clean.split(secret).join('***'), text)
		.replace(/\bBearer\s+[^\s"']+/gi, 'Bearer ***');
}

function errorBodyOf(outcome: Outcome): ErrorBody {
	const body = outcome.kind === 'answer' && isObject(outcome.body) ? outcome.body : {};
	const text = (key: string) => (typeof body[key] === 'string' ? body[key].trim() : '');
	return {
		code: text('code'),
		message: text('message') || text('error'),
		hint: text('hint'),
		docs: text('docs'),
	};
}

function seconds(ms: number): string {
	return `${Math.ceil(ms / 1_000)} s`;
}

/** The API has no code for it, only a message in words of its own (API document, section 7). */
const isAllowance = (message: string) =>
	/too many|subscription|hook|allowance|quota/i.test(message) &&
	/too many|no more|at most|max|limit|exceed|allowance|quota/i.test(message) &&
	!/url/i.test(message);

const ALLOWS_NO_MORE = 'The form service allows no more subscriptions';

/** Whether the service refused a subscription because there are too many. */
export const isAllowanceError = (error: Error): boolean => error.message.includes(ALLOWS_NO_MORE);

/** Whether the service answered that it did nothing. */
export const isRefusal = (error: Error): boolean =>
	/^4/.test((error as Error & { httpCode?: string }).httpCode ?? '');

/** Whether the service failed, or was not reached, rather than refuse: later it may work. */
export const isFault = (error: Error): boolean =>
	error instanceof NodeApiError && /^(5|429|$)/.test(error.httpCode ?? '');

const STATUS_TEXTS: Record<number, (failure: Failure) => string> = {
	400: ({ request, outcome }) =>
		request.path === '/hooks' && isAllowance(errorBodyOf(outcome).message)
			? `${ALLOWS_NO_MORE}. Unpublish a workflow whose Form Responses Trigger is no longer needed, or remove a hook with Hook: Delete`
			: '',
	401: ({ authentication }) =>
		authentication === 'apiKey'
			? 'The form service does not accept the API key. Check the API Key in the credential'
			: 'The form service does not accept the access token. Reconnect the OAuth2 credential',
	403: ({ request, authentication }) => {
		if (request.scope === undefined) return 'The form service does not allow this token';
		return authentication === 'apiKey'
			? `This needs the scope ${request.scope}, but an API key can only read responses (responses:read). Use an OAuth2 credential instead`
			: `The token lacks the scope ${request.scope}. Add it to the Scope of the OAuth2 credential and reconnect`;
	},
	404: () => 'It does not exist in this workspace, or no longer',
	429: ({ askedWaitMs }) =>
		askedWaitMs === undefined
			? 'The form service limits how many requests it takes. Try again later'
			: `The form service limits how many requests it takes and asks to wait another ${seconds(askedWaitMs)}. Try again later`,
};

const CHECK_BASE_URL = 'Check that the Base URL of the credential is the address of the API';

/** What came instead of the documented answer: JSON is the service's own, anything else may be another's. */
function whatCame(
	{ method, path, shape, status: expected, answer }: ApiRequest,
	{ status, body }: { status: number; body: unknown },
): string {
	const answered = `the form service answered ${method} ${path} with`;
	if (expected !== undefined && status !== expected) {
		return `${answered} status ${status} rather than ${expected}. ${CHECK_BASE_URL}`;
	}
	if (typeof body === 'string') {
		if (/^\s*[[{]/.test(body)) return `${answered} JSON that is cut off. Try again later`;
		const what =
			body.trim() === '' ? 'nothing' : /^\s*</.test(body) ? 'an HTML page' : 'plain text';
		return `${answered} ${what} rather than ${shape}. ${CHECK_BASE_URL}`;
	}
	const place = answer(body);
	return place
		? `${answered} a body whose ${place} is not as documented. Report it to the form service`
		: `${answered} something other than ${shape}. Report it to the form service`;
}

function whatHappened(failure: Failure): string {
	const { outcome, baseUrl, attempts, request } = failure;
	const host = new URL(baseUrl).host;
	if (outcome.kind === 'canceled') return 'the run was canceled';
	if (outcome.kind === 'unreadable') return whatCame(request, outcome);
	if (outcome.kind === 'answer') {
		const { status, headers } = outcome;
		if (status >= 300 && status < 400) {
			const target = URL.canParse(headers.location ?? '', baseUrl)
				? ` to ${new URL(headers.location, baseUrl).origin}`
				: '';
			return `the form service redirected the request${target} (${status}), which is not followed so that the token stays where it belongs. Enter the API's own address as Base URL of the credential`;
		}
		if (status >= 500) {
			const times = attempts > 1 ? ` ${attempts} times` : '';
			return `the form service failed${times} (${status}). Try again later`;
		}
		return `the form service answered ${status}`;
	}
	const { code = '' } = outcome;
	const known = NETWORK_TEXTS.find(([pattern]) => pattern.test(code));
	if (known) return known[1](host);
	return outcome.kind === 'impossible'
		? outcome.message
		: `the connection to ${host} broke off. Try again later`;
}

/**
 * One message with what was tried, what the service said and how to resolve it. All of it is in
 * `message`, because n8n's publication service shows nothing else of an error.
 */
function messageOf(failure: Failure): string {
	const { request, outcome } = failure;
	const { message, hint } = errorBodyOf(outcome);
	const own = outcome.kind === 'answer' ? (STATUS_TEXTS[outcome.status]?.(failure) ?? '') : '';
	return sentences(`Could not ${request.purpose}: ${message || whatHappened(failure)}`, own, hint);
}

export function apiError(node: INode, failure: Failure): NodeApiError {
	const { outcome, secrets } = failure;
	const clean = (text: string) => redact(text, secrets);
	const body = errorBodyOf(outcome);
	const status = outcome.kind === 'answer' ? outcome.status : null;
	const details: ErrorDetails = {
		status,
		code: clean(body.code) || null,
		hint: clean(body.hint) || null,
		docs: clean(body.docs) || null,
	};
	const description = [
		details.code && `Code: ${details.code}`,
		details.hint && `Hint: ${details.hint}`,
		details.docs && `Documentation: ${details.docs}`,
	]
		.filter(Boolean)
		.join('\n');
	const message = clean(messageOf(failure));
	const error = new NodeApiError(
		node,
		{ message, ...details },
		{ message, description, httpCode: status === null ? undefined : String(status) },
	);
	// NodeApiError replaces any message that happens to contain a name like EEXIST (n8n-workflow,
	// errors/abstract/node.error.ts, setDescriptiveErrorMessage).
	error.message = message;
	error.context.data = details;
	return error;
}
