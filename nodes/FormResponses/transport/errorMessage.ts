import { errorBodyOf, quoted } from './errorBody';
import type { Text } from './networkText';
import { isUnconnected, networkText } from './networkText';
import type { ApiRequest, Failure, Outcome } from './types';

type Of<Kind extends Outcome['kind']> = Extract<Outcome, { kind: Kind }>;

const REDIRECTS = [301, 302, 303, 307, 308];
const JSON_START = /^\s*(\{\s*("|$)|\[\s*([[{"\d]|$))/;

const LATER = 'Try again later';
const CHECK_BASE_URL = 'Check that the Base URL of the credential is the address of the API';

const MAKE_ROOM =
	'Unpublish a workflow whose Form Responses Trigger is no longer needed, or remove a hook with Hook: Delete';

const MAY_BE_DONE =
	'The hook may have been made: the API cannot list hooks, and trying again may make a second one';

/** Whether the allowance of hooks is used up: the API only has free text for it (playground/service/openapi.yaml). */
export function isFull({ outcome, request }: Failure): boolean {
	const { code, message } = errorBodyOf(outcome, []);
	const isRefusal = outcome.kind === 'answer' && outcome.status === 400 && code !== '';
	return (
		isRefusal &&
		request.path === '/hooks' &&
		/too many|subscription|hook|allowance|quota/i.test(message) &&
		/too many|no more|at most|max|limit|exceed|allowance|quota/i.test(message) &&
		!/url|target|character/i.test(message)
	);
}

/** Whether the service may have carried out the request without saying so. */
export const isDoubtful = ({ outcome, request: { method } }: Failure): boolean =>
	method === 'POST' &&
	(outcome.kind === 'unreadable' ||
		(outcome.kind === 'answer' && outcome.status >= 500) ||
		(outcome.kind === 'fault' && !isUnconnected(outcome.code)));

const asksToWait = ({ askedWaitMs }: Failure) =>
	askedWaitMs === undefined ? '' : ` and asks to wait another ${Math.ceil(askedWaitMs / 1_000)} s`;

/** Explanations that are clearer than the service's own message. */
const STATUS_TEXTS: Record<number, (failure: Failure, code: string) => Text | undefined> = {
	401: ({ authentication }) =>
		authentication === 'apiKey'
			? ['the form service does not accept the API key', 'Check the API Key of the credential']
			: ['the form service does not accept the access token', 'Reconnect the OAuth2 credential'],
	403: ({ request: { scope }, authentication }, code) => {
		if (scope === undefined || code !== 'insufficient_scope') return undefined;
		if (authentication === 'oAuth2') {
			const fix = 'Add it to the Scope of the OAuth2 credential, and reconnect';
			return [`the access token lacks the scope ${scope}`, fix];
		}
		return scope === 'responses:read'
			? undefined
			: ['an API key can only read responses', 'Use an OAuth2 credential instead'];
	},
	404: ({ request: { path, purpose }, baseUrl }) => {
		const what = /\b(form|response|hook)\b/.exec(purpose)?.[0];
		if (what === undefined)
			return [`there is no ${path} at ${new URL(baseUrl).host}`, CHECK_BASE_URL];
		return [
			`the ${what} does not exist or belongs to another workspace`,
			'Check its ID, and the workspace of the credential',
		];
	},
};

function typeOf(body: unknown): string {
	if (typeof body !== 'string') return body === undefined ? 'an empty body' : 'unknown JSON';
	if (body.trim() === '') return 'an empty body';
	return /^\s*</.test(body) ? 'an HTML page' : 'plain text';
}

/** Describes a success that is not the documented one. */
function unreadableText(
	{ status, body }: Of<'unreadable'>,
	{ method, path, answer }: ApiRequest,
	host: string,
): Text {
	const answered = `${host} answered ${method} ${path} with`;
	const isCutOff = body === undefined || (typeof body === 'string' && JSON_START.test(body));
	if (isCutOff) {
		const fix = `Try again, and look at the proxies between n8n and ${host}`;
		return [`the answer of ${host} was cut off or changed on its way`, fix];
	}
	const place = answer(body);
	if (place === undefined) return [`${answered} the wrong status ${status}`, CHECK_BASE_URL];
	if (typeof body === 'string') return [`${answered} ${typeOf(body)}`, CHECK_BASE_URL];
	return [
		`${answered} ${place === '' ? 'unknown JSON' : `JSON whose ${place} is not as documented`}`,
		'Report it to the form service',
	];
}

function redirectText({ status, headers }: Of<'answer'>, host: string, baseUrl: string): Text {
	const { location } = headers;
	const isTold = location !== undefined && URL.canParse(location, baseUrl);
	const origin = isTold ? new URL(location, baseUrl).origin : '';
	const target = origin.startsWith('http') ? ` to ${origin}` : '';
	return [
		`${host} redirected the request${target} (${status}), and the token must not follow`,
		'Enter the address of the API itself as the Base URL of the credential',
	];
}

function answerText(outcome: Of<'answer'>, host: string, failure: Failure): Text {
	const { status } = outcome;
	const { code, message, hint } = errorBodyOf(outcome, failure.secrets);
	const isRedirect = outcome.headers.location !== undefined || REDIRECTS.includes(status);
	if (status < 400 && isRedirect) return redirectText(outcome, host, failure.baseUrl);
	if (status === 429) return [`the form service limits requests${asksToWait(failure)}`, LATER];
	if (status >= 500) {
		const times = failure.attempts > 1 ? ` ${failure.attempts} times` : '';
		return [`the form service failed${times} (${status})${asksToWait(failure)}`, LATER];
	}
	if (status === 407) {
		const fix = 'Add the user name and password to HTTP_PROXY and HTTPS_PROXY of n8n';
		return [`a proxy between n8n and ${host} asks for a login (407)`, fix];
	}
	if (code === '') {
		return [
			`${host} answered ${status} with ${typeOf(outcome.body)} rather than an API error`,
			'Check the Base URL of the credential, and any proxy or firewall on the way',
		];
	}
	const advice = message.includes(hint) ? '' : hint;
	const fix = isFull(failure) ? MAKE_ROOM : advice;
	const said: Text = [message || `the form service answered ${status}`, fix];
	return STATUS_TEXTS[status]?.(failure, code) ?? said;
}

/** Says why there is no token; quotes n8n unless the OAuth2 server failed. */
function tokenlessText(outcome: Of<'tokenless'>, secrets: string[]): Text {
	const { host = 'the Access Token URL', status, message, isTransient } = outcome;
	if (/not connected|Unable to sign|reading 'accessToken'/i.test(message)) {
		return ['the OAuth2 credential was never connected', 'Open it, and connect it to your account'];
	}
	const none = 'the OAuth2 credential could not get an access token';
	const known = status === undefined ? networkText(outcome, host, 'Access Token URL') : undefined;
	if (known) return [`${none}, because ${known[0]}`, known[1]];
	if (isTransient) return [`${none}, because ${host} failed${status ? ` (${status})` : ''}`, LATER];
	// n8n quotes what it received, which may be a token.
	const [said] = message.replace(/ but received: .*/s, '').split(/(?<=\.)\s/);
	const settings = 'its Access Token URL, Client ID and Client Secret';
	const isAdvised = /reconnect/i.test(said);
	const fix = isAdvised ? `If that fails, check ${settings}` : `Reconnect it, or check ${settings}`;
	return [`${none}: ${quoted(said, secrets)}`, fix];
}

function faultText(outcome: Of<'fault'>, host: string, { authentication }: Failure): Text {
	const { elsewhere } = outcome;
	if (elsewhere !== undefined) {
		// n8n 1.123 does not tell a proxy from the OAuth2 server.
		const tokenUrl =
			authentication === 'oAuth2' ? 'the Access Token URL of the credential, and ' : '';
		const fix = `Check ${tokenUrl}HTTP_PROXY and HTTPS_PROXY of n8n`;
		return [`${elsewhere} cannot be reached, on the way to ${host}`, fix];
	}
	return networkText(outcome, host, 'Base URL') ?? [`the connection to ${host} broke off`, LATER];
}

function textOf(failure: Failure): Text {
	const { outcome, baseUrl, request, secrets } = failure;
	const { host } = new URL(baseUrl);
	const texts: { [Kind in Failure['outcome']['kind']]: (outcome: Of<Kind>) => Text } = {
		answer: (answer) => answerText(answer, host, failure),
		unreadable: (unreadable) => unreadableText(unreadable, request, host),
		fault: (fault) => faultText(fault, host, failure),
		tokenless: (tokenless) => tokenlessText(tokenless, secrets),
		impossible: (impossible) =>
			networkText(impossible, host, 'Base URL') ?? [quoted(impossible.message, secrets), ''],
		canceled: () => ['the run was canceled', ''],
	};
	return (texts[outcome.kind] as (one: Outcome) => Text)(outcome);
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The complete message: purpose, problem, fix. n8n's publication service shows no other part of an error. */
export function messageOf(failure: Failure): string {
	const [what, fix] = textOf(failure);
	return [`Could not ${failure.request.purpose}: ${what}`, isDoubtful(failure) ? MAY_BE_DONE : fix]
		.filter((part) => part !== '')
		.map(sentence)
		.join(' ');
}
