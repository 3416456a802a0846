import { FORM_LIST } from '../../../../../nodes/FormResponses/transport/endpoints';
import { isAllowanceError } from '../../../../../nodes/FormResponses/transport/errors';
import type { ApiRequest, Failure } from '../../../../../nodes/FormResponses/transport/types';
import { anError } from '../../../kit/samples';
import { errorOf } from './failure.fixture';
import { answer, canceled, fault, impossible, tokenless, unreadable } from './outcome.fixture';

/** The message after "Could not list the forms:", or after the purpose of another request. */
type Case = [told: string, Failure['outcome'], Partial<Failure>?];

const requestTo = (path: string, purpose: string, more: Partial<ApiRequest> = {}) => ({
	request: { ...FORM_LIST, path, purpose, ...more },
});

const post = { method: 'POST', scope: 'hooks:write' } as const;
const subscribing = requestTo('/hooks', 'subscribe to form 1', post);
const identifying = requestTo('/me', 'identify the token', { scope: undefined });
const readingList = requestTo('/forms/1/responses', 'read the responses of form 1');
const reading = requestTo('/responses/2', 'read response 2', { scope: 'responses:read' });
const withoutBody = { method: 'DELETE', answer: () => undefined } as const;
const deleting = requestTo('/hooks/3', 'remove hook 3', withoutBody);
const apiKey = { authentication: 'apiKey' } as const;

const said = (status: number, message = 'As the service says', hint = 'As it advises') =>
	answer(status, anError('x', message, hint));
const lacksScope = answer(
	403,
	anError('insufficient_scope', 'As the service says', 'As it advises'),
);
const redirect = (status: number, location?: string) =>
	answer(status, '', location === undefined ? {} : { location });
const tokenLater = (fields: object) => tokenless('', { isTransient: true, ...fields });

const waitFor = (seconds: number) => `and asks to wait another ${seconds} s. Try again later.`;
const HTML = '<!doctype html><title>Forms</title>';
const HOST = 'forms.example.com';
const OTHER = 'https://elsewhere.example.org';
const REDIRECTED = `${HOST} redirected the request`;
const host = 'login.example.com';
const NOT_ACCEPTED = 'the form service does not accept';
const AS_SAID = 'As the service says. As it advises.';
const NO_ACCESS =
	'does not exist or belongs to another workspace. Check its ID, and the workspace of the credential.';
const OTHER_ERROR =
	'rather than an API error. Check the Base URL of the credential, and any proxy or firewall on the way.';
const MAY_BE_MADE =
	'The hook may have been made: the API cannot list hooks, and trying again may make a second one.';
const CHECK_BASE_URL = 'Check that the Base URL of the credential is the address of the API.';
const CHECK_NETWORK = 'Check the Base URL of the credential, and the network of n8n.';
const REPORT = 'Report it to the form service.';
const NOT_FOLLOWED =
	'and the token must not follow. Enter the address of the API itself as the Base URL of the credential.';
const MAKE_ROOM =
	'Unpublish a workflow whose Form Responses Trigger is no longer needed, or remove a hook with Hook: Delete.';
const CUT_OFF = `the answer of ${HOST} was cut off or changed on its way.`;
const TRY_AGAIN = `Try again, and look at the proxies between n8n and ${HOST}.`;
const NO_TLS = `${HOST} does not speak TLS. If it has no certificate, begin the Base URL of the credential with http://.`;
const NOT_CONNECTED =
	'the OAuth2 credential was never connected. Open it, and connect it to your account.';
const NO_TOKEN = 'the OAuth2 credential could not get an access token';
const BECAUSE = `${NO_TOKEN}, because`;
const RECONNECT = 'Reconnect it, or check its Access Token URL, Client ID and Client Secret.';
const CHECK_TOKEN_URL = 'Check the Access Token URL of the credential, and the network of n8n.';

const refusals: Case[] = [
	[AS_SAID, said(400)],
	['the form service answered 400.', said(400, '', '')],
	['Bad. Look.', said(400, 'Bad. Look.', 'Look')],
	['Not so! Do.', said(405, 'Not so!', 'Do. ')],
	[`Too many subscriptions. ${MAKE_ROOM}`, said(400, 'Too many subscriptions'), subscribing],
	['The target URL is bad. Use it.', said(400, 'The target URL is bad', 'Use it'), subscribing],
	[`${NOT_ACCEPTED} the API key. Check the API Key of the credential.`, said(401), apiKey],
	[`${NOT_ACCEPTED} the access token. Reconnect the OAuth2 credential.`, said(401)],
	['an API key can only read responses. Use an OAuth2 credential instead.', lacksScope, apiKey],
	[AS_SAID, lacksScope, { ...apiKey, ...reading }],
	[AS_SAID, lacksScope, identifying],
	[
		'the access token lacks the scope hooks:write. Add it to the Scope of the OAuth2 credential, and reconnect.',
		lacksScope,
		subscribing,
	],
	[AS_SAID, said(403), apiKey],
	[AS_SAID, said(403)],
	[`the form ${NO_ACCESS}`, said(404), readingList],
	[`the response ${NO_ACCESS}`, said(404), reading],
	[`there is no /forms at ${HOST}. ${CHECK_BASE_URL}`, said(404)],
];

const otherAnswers: Case[] = [
	[`${HOST} answered 401 with an HTML page ${OTHER_ERROR}`, answer(401, HTML)],
	[`${HOST} answered 403 with plain text ${OTHER_ERROR}`, answer(403, 'Forbidden'), apiKey],
	[`${HOST} answered 404 with an empty body ${OTHER_ERROR}`, answer(404, ''), reading],
	[`${HOST} answered 404 with unknown JSON ${OTHER_ERROR}`, answer(404, { message: 'no Route' })],
	[`${HOST} answered 404 with an empty body ${OTHER_ERROR}`, answer(404, undefined)],
	[
		`a proxy between n8n and ${HOST} asks for a login (407). Add the user name and password to HTTP_PROXY and HTTPS_PROXY of n8n.`,
		answer(407, HTML),
	],
	['the form service limits requests. Try again later.', said(429)],
	[`the form service limits requests ${waitFor(600)}`, answer(429), { askedWaitMs: 599_001 }],
	['the form service failed (500). Try again later.', answer(500, HTML)],
	['the form service failed 4 times (502). Try again later.', said(502), { attempts: 4 }],
	[`the form service failed (503) ${waitFor(3_600)}`, said(503), { askedWaitMs: 3_600_000 }],
	[`the form service failed (503). ${MAY_BE_MADE}`, answer(503, HTML), subscribing],
	[`${REDIRECTED} to ${OTHER} (302), ${NOT_FOLLOWED}`, redirect(302, `${OTHER}/login?token=1`)],
	[`${REDIRECTED} to https://${HOST} (300), ${NOT_FOLLOWED}`, redirect(300, '/elsewhere')],
	[`${REDIRECTED} (302), ${NOT_FOLLOWED}`, redirect(302, 'mailto:x@example.org')],
	[`${REDIRECTED} (301), ${NOT_FOLLOWED}`, redirect(301)],
	[`${HOST} answered 304 with an empty body ${OTHER_ERROR}`, answer(304)],
];

const answeredForms = `${HOST} answered GET /forms with`;

const unreadableAnswers: Case[] = [
	[`${CUT_OFF} ${TRY_AGAIN}`, unreadable(200)],
	[`${CUT_OFF} ${TRY_AGAIN}`, unreadable(200, ' [{"id":"a')],
	[`${CUT_OFF} ${TRY_AGAIN}`, unreadable(200), deleting],
	[`${CUT_OFF} ${MAY_BE_MADE}`, unreadable(201), subscribing],
	[`${answeredForms} an HTML page. ${CHECK_BASE_URL}`, unreadable(200, ` \n ${HTML}`)],
	[`${answeredForms} plain text. ${CHECK_BASE_URL}`, unreadable(200, '[ERROR] backend down')],
	[`${answeredForms} plain text. ${CHECK_BASE_URL}`, unreadable(200, 'OK: <b> [1] {}')],
	[`${answeredForms} an empty body. ${CHECK_BASE_URL}`, unreadable(200, ' \n')],
	[
		`${answeredForms} JSON whose nextCursor is not as documented. ${REPORT}`,
		unreadable(200, { data: [], nextCursor: 7 }),
	],
	[`${answeredForms} unknown JSON. ${REPORT}`, unreadable(200, ['a'])],
	[
		`${answeredForms} the wrong status 202. ${CHECK_BASE_URL}`,
		unreadable(202, { data: [], nextCursor: null }),
	],
	[
		`${HOST} answered DELETE /hooks/3 with the wrong status 200. ${CHECK_BASE_URL}`,
		unreadable(200, ''),
		deleting,
	],
];

const faults: Case[] = [
	[
		`localhost:5800 refused the connection. ${CHECK_NETWORK}`,
		fault('ECONNREFUSED'),
		{ baseUrl: 'http://localhost:5800/api/v1' },
	],
	[`${HOST} refused the connection. ${CHECK_NETWORK}`, fault('ECONNREFUSED'), subscribing],
	[
		`10.0.0.1:3128 cannot be reached, on the way to ${HOST}. Check HTTP_PROXY and HTTPS_PROXY of n8n.`,
		fault('ECONNREFUSED', '10.0.0.1:3128'),
		apiKey,
	],
	[
		`10.0.0.1:3128 cannot be reached, on the way to ${HOST}. Check the Access Token URL of the credential, and HTTP_PROXY and HTTPS_PROXY of n8n.`,
		fault('ECONNREFUSED', '10.0.0.1:3128'),
	],
	[`${HOST} did not answer in time. ${MAY_BE_MADE}`, fault('ETIMEDOUT'), subscribing],
	[`the connection to ${HOST} broke off. Try again later.`, fault('ECONNRESET')],
	[`the connection to ${HOST} broke off. ${MAY_BE_MADE}`, fault('ECONNRESET'), subscribing],
	[NO_TLS, impossible('SSL routines::wrong version number', 'EPROTO')],
	['The request was blocked.', impossible('The request was blocked')],
	['the run was canceled.', canceled],
];

const withoutToken: Case[] = [
	[NOT_CONNECTED, tokenless('Unable to sign without access token')],
	[NOT_CONNECTED, tokenless('OAuth credentials not connected')],
	[`${NO_TOKEN}: Invalid token. ${RECONNECT}`, tokenless('Invalid token', { code: 'EAUTH' })],
	[`${NO_TOKEN}: It expired. ${RECONNECT}`, tokenless('It expired. Please reconnect it.')],
	[
		`${NO_TOKEN}: Unsupported content type: text/html. ${RECONNECT}`,
		tokenless('Unsupported content type: text/html but received: <b>tok</b>\nx'),
	],
	[`${BECAUSE} ${host} failed (503). Try again later.`, tokenLater({ status: 503, host })],
	[
		`${BECAUSE} ${host} failed (429). Try again later.`,
		tokenLater({ status: 429, host, code: 'ETIMEDOUT' }),
	],
	[`${BECAUSE} ${host} failed. Try again later.`, tokenLater({ host, code: 'ECONNRESET' })],
	[
		`${BECAUSE} the host name ${host} was not found. ${CHECK_TOKEN_URL}`,
		tokenLater({ host, code: 'ENOTFOUND' }),
	],
	[
		`${BECAUSE} the Access Token URL refused the connection. ${CHECK_TOKEN_URL}`,
		tokenLater({ code: 'ECONNREFUSED' }),
	],
];

test.each([...refusals, ...otherAnswers, ...unreadableAnswers, ...faults, ...withoutToken])(
	'%s',
	(told, outcome, failure = {}) => {
		const { message, description } = errorOf(outcome, failure);
		expect(message).toBe(`Could not ${(failure.request ?? FORM_LIST).purpose}: ${told}`);

		const sentences = told.split(/(?<=[.!?…]) /);
		const all = [...sentences, ...(description ?? '').split('\n')];
		expect(sentences.length).toBeLessThanOrEqual(2);
		expect(new Set(all).size).toBe(all.length);
		expect(message).not.toMatch(/[.!?:,] ?[.!?:,]|\s\s|undefined|null/);
		expect(message.length).toBeLessThanOrEqual(300);
	},
);

test.each<[message: string, isAboutNumber: boolean]>([
	['Too many', true],
	['Subscription limit reached', true],
	['You have reached your limit of 10 subscriptions', true],
	['No more than 10 hooks are allowed', true],
	['Maximum of 10 hooks reached', true],
	['The allowance is used up', true],
	["The subscription's target URL is invalid", false],
	['The target URL has too many query parameters', false],
	['The target of a hook has at most 2048 characters', false],
	['Subscriptions need an open form', false],
	['Too many redirects from the target URL', false],
])('a subscription that is refused with "%s" is one too many: %p', (message, isAboutNumber) => {
	expect(isAllowanceError(errorOf(said(400, message), subscribing))).toBe(isAboutNumber);
});

test('the words of the service are kept, also where n8n would replace them for a name among them', () => {
	const message = 'EEXIST: the limit ENOTFOUND was ECONNREFUSED';
	expect(errorOf(said(400, message, '')).message).toBe(`Could not list the forms: ${message}.`);
});
