import { isObject } from './shapes';
import type { ApiRequest, Authentication, Outcome } from './types';

/** What went wrong with one request, after all retries. */
export interface Failure {
	request: ApiRequest;
	outcome: Outcome;
	authentication: Authentication;
	baseUrl: string;
	/** How many times the request failed, not counting refusals because of a rate limit. */
	attempts: number;
	/** Milliseconds the service asked to wait, where waiting that long was not possible. */
	askedWaitMs?: number;
	/** Strings which must not be shown: tokens, keys. */
	secrets: string[];
}

type ErrorBody = Record<'code' | 'message' | 'hint' | 'docs', string>;

type Address = 'Base URL' | 'Access Token URL';

const NETWORK_TEXTS: Array<[RegExp, (host: string, address: Address) => string]> = [
	[
		/^(ENOTFOUND|EAI_AGAIN)$/,
		(host, address) =>
			`the host name ${host} was not found. Check the ${address} of the credential and the DNS of this n8n`,
	],
	[
		/^ECONNREFUSED$/,
		(host, address) =>
			`${host} refused the connection. Check the host and port in the ${address} of the credential, and that the service is running there`,
	],
	[/^(ETIMEDOUT|ECONNABORTED)$/, (host) => `${host} did not answer in time. Try again later`],
	[
		/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
		(host, address) =>
			`${host} cannot be reached from this n8n. Check its network and the ${address} of the credential`,
	],
	[
		/CERT|SIGNATURE|SELF_SIGNED|SSL|TLS|^EPROTO$/,
		(host, address) =>
			`no secure connection to ${host} could be made. Its certificate is not valid or not trusted by this n8n: if an authority of your own signed it, name that authority's file in NODE_EXTRA_CA_CERTS. If there is no certificate, the ${address} has to begin with http://`,
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

export function errorBodyOf(outcome: Outcome): ErrorBody {
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

/** The API has no code for it, only a message in words of its own (playground/service/README.md). */
const isAllowance = (message: string) =>
	/too many|subscription|hook|allowance|quota/i.test(message) &&
	/too many|no more|at most|max|limit|exceed|allowance|quota/i.test(message) &&
	!/url/i.test(message);

export const ALLOWS_NO_MORE = 'The form service allows no more hooks';

const CHECK_BASE_URL = 'Check that the Base URL of the credential is the address of the API';

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
	404: ({ request: { path, body } }) =>
		body === undefined && !/^\/[^/]+\/./.test(path)
			? `There is no ${path} at that address. ${CHECK_BASE_URL}`
			: 'It does not exist in this workspace, or no longer',
	429: ({ askedWaitMs }) =>
		askedWaitMs === undefined
			? 'The form service limits how many requests it takes. Try again later'
			: `The form service limits how many requests it takes and asks to wait another ${seconds(askedWaitMs)}. Try again later`,
};

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

const networkText = (code: string, host: string, address: Address) =>
	NETWORK_TEXTS.find(([pattern]) => pattern.test(code))?.[1](host, address);

/** Why the OAuth2 server gave no token; n8n's own words for it where it did not fail. */
function whyTokenless({
	host = 'the Access Token URL',
	status,
	code = '',
	message,
	isTransient,
}: Extract<Outcome, { kind: 'tokenless' }>): string {
	if (/not connected|Unable to sign|reading 'accessToken'/i.test(message)) {
		return 'the OAuth2 credential was never connected. Open it and connect it to your account';
	}
	const none = 'the OAuth2 credential could not get an access token';
	const known = status === undefined && networkText(code, host, 'Access Token URL');
	if (known) return `${none}: ${known}`;
	if (isTransient) return `${none}: ${host} failed${status ? ` (${status})` : ''}. Try again later`;
	// What came may be a token.
	const said = sentence(message.replace(/ but received: .*/s, ''));
	return `${none}: ${said} Reconnect it, or check its Access Token URL, Client ID and Client Secret`;
}

function whatHappened(failure: Failure): string {
	const { outcome, baseUrl, attempts, request } = failure;
	const host = new URL(baseUrl).host;
	if (outcome.kind === 'canceled') return 'the run was canceled';
	if (outcome.kind === 'unreadable') return whatCame(request, outcome);
	if (outcome.kind === 'answer') {
		const { status, headers } = outcome;
		if (status >= 300 && status < 400) {
			const { location } = headers;
			const isTold = location !== undefined && URL.canParse(location, baseUrl);
			const target = isTold ? ` to ${new URL(location, baseUrl).origin}` : '';
			return `the form service redirected the request${target} (${status}), which is not followed so that the token stays where it belongs. Enter the API's own address as Base URL of the credential`;
		}
		if (status >= 500) {
			const times = attempts > 1 ? ` ${attempts} times` : '';
			return `the form service failed${times} (${status}). Try again later`;
		}
		return `the form service answered ${status}`;
	}
	if (outcome.kind === 'tokenless') return whyTokenless(outcome);
	const known = networkText(outcome.code ?? '', host, 'Base URL');
	if (known) return known;
	return outcome.kind === 'impossible'
		? outcome.message
		: `the connection to ${host} broke off${request.method === 'POST' ? ', and what was asked may have been done' : ''}. Try again later`;
}

/**
 * One message with what was tried, what the service said and how to resolve it. All of it is in
 * `message`, because n8n's publication service shows nothing else of an error.
 */
export function messageOf(failure: Failure): string {
	const { request, outcome } = failure;
	const { message, hint } = errorBodyOf(outcome);
	const own = outcome.kind === 'answer' ? (STATUS_TEXTS[outcome.status]?.(failure) ?? '') : '';
	return sentences(`Could not ${request.purpose}: ${message || whatHappened(failure)}`, own, hint);
}
