import type { Failure, ApiRequest } from '../../../../nodes/FormResponses/transport/types';
import { anError } from '../../../samples';
import { answer, listForms } from './failure.fixture';

type Outcome = Failure['outcome'];

export const subscribe: ApiRequest = {
	...listForms,
	method: 'POST',
	path: '/hooks',
	scope: 'hooks:write',
	purpose: 'subscribe to form 1',
	body: { formId: '1' },
};

const identify: ApiRequest = {
	...listForms,
	path: '/me',
	scope: undefined,
	purpose: 'identify the token',
};

const listResponses: ApiRequest = {
	...listForms,
	path: '/forms/1/responses',
	scope: 'responses:read',
	purpose: 'read the responses of form 1',
};

const readResponse: ApiRequest = {
	...listResponses,
	path: '/responses/2',
	purpose: 'read response 2',
};

const unreadable = (body: unknown, status = 200): Outcome => ({ kind: 'unreadable', status, body });

const tokenless = (more: object): Outcome => ({
	kind: 'tokenless',
	message: '',
	isTransient: false,
	...more,
});

const fault = (code: string, proxy?: string): Outcome => ({ kind: 'fault', code, proxy });

const impossible = (code: string | undefined, message = ''): Outcome => ({
	kind: 'impossible',
	code,
	message,
});

const said = (status: number, message = 'As the service says', hint = 'As it advises') =>
	answer(status, anError('a_code', message, hint));

const lacksScope = answer(
	403,
	anError('insufficient_scope', 'As the service says', 'As it advises'),
);

const apiKey = { authentication: 'apiKey' } as const;
const toSubscribe = { request: subscribe };

const HTML = '<!doctype html><title>Forms</title>';
const OTHER_ERROR =
	'rather than an API error. Check the Base URL of the credential, and any proxy or firewall on the way.';
const MAY_BE_MADE =
	'The hook may have been made: the API cannot list hooks, and trying again may make a second one.';
const NO_TOKEN = 'the OAuth2 credential could not get an access token';
const RECONNECT = 'Reconnect it, or check its Access Token URL, Client ID and Client Secret.';
const CHECK_BASE_URL = 'Check that the Base URL of the credential is the address of the API.';
const REPORT = 'Report it to the form service.';
const NOT_FOLLOWED =
	'and the token must not follow. Enter the address of the API itself as the Base URL of the credential.';
const MAKE_ROOM =
	'Unpublish a workflow whose Form Responses Trigger is no longer needed, or remove a hook with Hook: Delete.';

const HOST = 'forms.example.com';

/** Each kind of error, and what is told of it after "Could not". */
export const MESSAGES: Array<[string, Outcome, Partial<Failure>, string]> = [
	['a refusal', said(400), {}, 'list the forms: As the service says. As it advises.'],
	[
		'a refusal that says nothing',
		said(400, '', ''),
		{},
		'list the forms: the form service answered 400.',
	],
	[
		'a hint that the message has',
		said(400, 'Bad. Look.', 'Look'),
		{},
		'list the forms: Bad. Look.',
	],
	['a refusal in whole sentences', said(405, 'Not so!', 'Do. '), {}, 'list the forms: Not so! Do.'],
	[
		'too many hooks',
		said(400, 'Too many subscriptions'),
		toSubscribe,
		`subscribe to form 1: Too many subscriptions. ${MAKE_ROOM}`,
	],
	[
		'a bad target',
		said(400, 'The target of a hook has at most 2048 characters'),
		toSubscribe,
		'subscribe to form 1: The target of a hook has at most 2048 characters. As it advises.',
	],
	[
		'a bad target URL',
		said(400, 'The target URL is bad', 'Use https'),
		toSubscribe,
		'subscribe to form 1: The target URL is bad. Use https.',
	],
	[
		'an API key that is not known',
		said(401),
		apiKey,
		'list the forms: the form service does not accept the API key. Check the API Key of the credential.',
	],
	[
		'an access token that is not known',
		said(401),
		{},
		'list the forms: the form service does not accept the access token. Reconnect the OAuth2 credential.',
	],
	[
		'an API key that asks for forms',
		lacksScope,
		apiKey,
		'list the forms: an API key can only read responses. Use an OAuth2 credential instead.',
	],
	[
		'an API key that may read nothing',
		lacksScope,
		{ ...apiKey, request: readResponse },
		'read response 2: As the service says. As it advises.',
	],
	[
		'a token that may not say who it is',
		lacksScope,
		{ request: identify },
		'identify the token: As the service says. As it advises.',
	],
	[
		'a token without the scope',
		lacksScope,
		toSubscribe,
		'subscribe to form 1: the access token lacks the scope hooks:write. Add it to the Scope of the OAuth2 credential, and reconnect.',
	],
	...[apiKey, {}].map((failure): [string, Outcome, Partial<Failure>, string] => [
		'a 403 for another reason',
		said(403),
		failure,
		'list the forms: As the service says. As it advises.',
	]),
	[
		'a form that is not there',
		said(404),
		{ request: listResponses },
		'read the responses of form 1: the form was deleted or belongs to another workspace. Check its ID, and the workspace of the credential.',
	],
	[
		'a form to subscribe to that is not there',
		said(404),
		toSubscribe,
		'subscribe to form 1: the form was deleted or belongs to another workspace. Check its ID, and the workspace of the credential.',
	],
	[
		'a response that is not there',
		said(404),
		{ request: readResponse },
		'read response 2: the response was deleted or belongs to another workspace. Check its ID, and the workspace of the credential.',
	],
	[
		'a list that is not there',
		said(404),
		{},
		`list the forms: there is no /forms at ${HOST}. ${CHECK_BASE_URL}`,
	],
	[
		'a page that answers 401',
		answer(401, HTML),
		{},
		`list the forms: ${HOST} answered 401 with an HTML page ${OTHER_ERROR}`,
	],
	[
		'plain text that answers 403',
		answer(403, 'Forbidden'),
		apiKey,
		`list the forms: ${HOST} answered 403 with plain text ${OTHER_ERROR}`,
	],
	[
		'nothing that answers 404',
		answer(404, ''),
		{ request: readResponse },
		`read response 2: ${HOST} answered 404 with an empty body ${OTHER_ERROR}`,
	],
	[
		'other JSON that answers 404',
		answer(404, { message: 'no Route' }),
		{},
		`list the forms: ${HOST} answered 404 with unknown JSON ${OTHER_ERROR}`,
	],
	[
		'an answer of 404 that is cut off',
		answer(404, undefined),
		{},
		`list the forms: ${HOST} answered 404 with an empty body ${OTHER_ERROR}`,
	],
	[
		'a proxy that asks for a login',
		answer(407, HTML),
		{},
		`list the forms: a proxy between n8n and ${HOST} asks for a login (407). Add the user name and password to HTTP_PROXY and HTTPS_PROXY of n8n.`,
	],
	['a limit', said(429), {}, 'list the forms: the form service limits requests. Try again later.'],
	[
		'a limit that lasts',
		answer(429),
		{ askedWaitMs: 599_001 },
		'list the forms: the form service limits requests and asks to wait another 600 s. Try again later.',
	],
	[
		'a failure',
		answer(500, HTML),
		{},
		'list the forms: the form service failed (500). Try again later.',
	],
	[
		'a failure that lasts',
		said(502),
		{ attempts: 4 },
		'list the forms: the form service failed 4 times (502). Try again later.',
	],
	[
		'maintenance',
		said(503),
		{ askedWaitMs: 3_600_000 },
		'list the forms: the form service failed (503) and asks to wait another 3600 s. Try again later.',
	],
	[
		'a failure to subscribe',
		answer(503, HTML),
		toSubscribe,
		`subscribe to form 1: the form service failed (503). ${MAY_BE_MADE}`,
	],
	[
		'a redirect',
		answer(302, '', { location: 'https://elsewhere.example.org/login?token=1' }),
		{},
		`list the forms: ${HOST} redirected the request to https://elsewhere.example.org (302), ${NOT_FOLLOWED}`,
	],
	[
		'a redirect within the service',
		answer(300, '', { location: '/elsewhere' }),
		{},
		`list the forms: ${HOST} redirected the request to https://${HOST} (300), ${NOT_FOLLOWED}`,
	],
	[
		'a redirect to what is no address',
		answer(302, '', { location: 'mailto:x@example.org' }),
		{},
		`list the forms: ${HOST} redirected the request (302), ${NOT_FOLLOWED}`,
	],
	[
		'an answer that something has not changed',
		answer(304),
		{},
		`list the forms: ${HOST} answered 304 with an empty body ${OTHER_ERROR}`,
	],
	[
		'a redirect to nowhere',
		answer(301),
		{},
		`list the forms: ${HOST} redirected the request (301), ${NOT_FOLLOWED}`,
	],
	[
		'an answer that is cut off',
		unreadable(undefined),
		{},
		`list the forms: the answer of ${HOST} was cut off. Try again later.`,
	],
	[
		'JSON that is cut off',
		unreadable(' [{"id":"a'),
		{},
		`list the forms: the answer of ${HOST} was cut off. Try again later.`,
	],
	[
		'a lost hook',
		unreadable(undefined, 201),
		toSubscribe,
		`subscribe to form 1: the answer of ${HOST} was cut off. ${MAY_BE_MADE}`,
	],
	[
		'an HTML page',
		unreadable(` \n ${HTML}`),
		{},
		`list the forms: ${HOST} answered GET /forms with an HTML page. ${CHECK_BASE_URL}`,
	],
	[
		'text in brackets',
		unreadable('[ERROR] backend down'),
		{},
		`list the forms: ${HOST} answered GET /forms with plain text. ${CHECK_BASE_URL}`,
	],
	[
		'plain text',
		unreadable('OK: <b> [1] {}'),
		{},
		`list the forms: ${HOST} answered GET /forms with plain text. ${CHECK_BASE_URL}`,
	],
	[
		'blanks alone',
		unreadable(' \n'),
		{},
		`list the forms: ${HOST} answered GET /forms with an empty body. ${CHECK_BASE_URL}`,
	],
	[
		'a body that is odd in one place',
		unreadable({ data: [], nextCursor: 7 }),
		{},
		`list the forms: ${HOST} answered GET /forms with JSON whose nextCursor is not as documented. ${REPORT}`,
	],
	[
		'JSON of another kind',
		unreadable(['a']),
		{},
		`list the forms: ${HOST} answered GET /forms with unknown JSON. ${REPORT}`,
	],
	[
		'another status of success',
		unreadable({ data: [], nextCursor: null }, 202),
		{},
		`list the forms: ${HOST} answered GET /forms with the wrong status 202. ${CHECK_BASE_URL}`,
	],
	[
		'an answer that is cut off, where there is to be no body',
		unreadable(undefined, 200),
		{ request: { ...readResponse, method: 'DELETE', answer: () => undefined } },
		`read response 2: the answer of ${HOST} was cut off. Try again later.`,
	],
	[
		'another status, and no body where there is to be none',
		unreadable('', 200),
		{ request: { ...readResponse, method: 'DELETE', answer: () => undefined } },
		`read response 2: ${HOST} answered DELETE /responses/2 with the wrong status 200. ${CHECK_BASE_URL}`,
	],
	[
		'a host that is not there',
		fault('ENOTFOUND'),
		{},
		`list the forms: the host name ${HOST} was not found. Check the Base URL of the credential, and the network of n8n.`,
	],
	[
		'a closed port',
		fault('ECONNREFUSED'),
		{ baseUrl: 'http://localhost:5800/api/v1' },
		'list the forms: localhost:5800 refused the connection. Check the Base URL of the credential, and the network of n8n.',
	],
	[
		'a closed port while subscribing',
		fault('ECONNREFUSED'),
		toSubscribe,
		`subscribe to form 1: ${HOST} refused the connection. Check the Base URL of the credential, and the network of n8n.`,
	],
	[
		'a proxy that is not there',
		fault('ECONNREFUSED', '10.0.0.1:3128'),
		{},
		`list the forms: the proxy 10.0.0.1:3128 between n8n and ${HOST} cannot be reached. Check HTTP_PROXY and HTTPS_PROXY of n8n.`,
	],
	[
		'silence',
		fault('ECONNABORTED'),
		{},
		`list the forms: ${HOST} did not answer in time. Try again later.`,
	],
	[
		'silence after subscribing',
		fault('ETIMEDOUT'),
		toSubscribe,
		`subscribe to form 1: ${HOST} did not answer in time. ${MAY_BE_MADE}`,
	],
	[
		'a network out of reach',
		fault('EHOSTUNREACH'),
		{},
		`list the forms: ${HOST} cannot be reached from this n8n. Check the Base URL of the credential, and the network of n8n.`,
	],
	[
		'a broken connection',
		fault('ECONNRESET'),
		{},
		`list the forms: the connection to ${HOST} broke off. Try again later.`,
	],
	[
		'a broken connection after subscribing',
		fault('ECONNRESET'),
		toSubscribe,
		`subscribe to form 1: the connection to ${HOST} broke off. ${MAY_BE_MADE}`,
	],
	...[
		'CERT_HAS_EXPIRED',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'ERR_TLS_CERT_ALTNAME_INVALID',
	].map((code): [string, Outcome, Partial<Failure>, string] => [
		`a certificate: ${code}`,
		impossible(code),
		{},
		`list the forms: the certificate of ${HOST} is not valid, or this n8n does not trust it. If an authority of your own signed it, name its file in NODE_EXTRA_CA_CERTS.`,
	]),
	...['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'].map(
		(code): [string, Outcome, Partial<Failure>, string] => [
			`no TLS: ${code}`,
			impossible(code, 'SSL routines:tls_get_record:wrong version number'),
			{},
			`list the forms: ${HOST} does not speak TLS. If it has no certificate, begin the Base URL of the credential with http://.`,
		],
	),
	[
		'TLS of another kind',
		impossible('EPROTO', 'SSL routines:ssl3_read_bytes:tlsv1 alert protocol version'),
		{},
		`list the forms: the TLS connection to ${HOST} failed. Check the Base URL of the credential, and any proxy or firewall on the way.`,
	],
	[
		'a token that cannot be sent',
		impossible('ERR_INVALID_CHAR', 'Invalid character in header'),
		{},
		'list the forms: the token of the credential has a character that cannot be sent. Enter it again.',
	],
	[
		'what n8n itself refuses',
		impossible(undefined, 'The request was blocked because it resolves to a restricted IP address'),
		{},
		'list the forms: The request was blocked because it resolves to a restricted IP address.',
	],
	['a canceled run', { kind: 'canceled' }, {}, 'list the forms: the run was canceled.'],
	[
		'a credential that was never connected',
		tokenless({ message: 'Unable to sign without access token' }),
		{},
		'list the forms: the OAuth2 credential was never connected. Open it, and connect it to your account.',
	],
	[
		'a credential that n8n does not find connected',
		tokenless({ message: 'OAuth credentials not connected' }),
		{},
		'list the forms: the OAuth2 credential was never connected. Open it, and connect it to your account.',
	],
	[
		'a renewal that is refused',
		tokenless({ message: 'The refresh token is invalid', code: 'EAUTH' }),
		{},
		`list the forms: ${NO_TOKEN}: The refresh token is invalid. ${RECONNECT}`,
	],
	[
		'a renewal that n8n explains at length',
		tokenless({ message: 'OAuth access token expired. Please reconnect the credentials.' }),
		{},
		`list the forms: ${NO_TOKEN}: OAuth access token expired. ${RECONNECT}`,
	],
	[
		'a token address that answers something else',
		tokenless({ message: 'Unsupported content type: text/html but received: <b>tok</b>\nx' }),
		{},
		`list the forms: ${NO_TOKEN}: Unsupported content type: text/html. ${RECONNECT}`,
	],
	[
		'a token address that fails',
		tokenless({ host: 'login.example.com', status: 503, isTransient: true }),
		{},
		`list the forms: ${NO_TOKEN}, because login.example.com failed (503). Try again later.`,
	],
	[
		'a token address that limits',
		tokenless({ host: 'login.example.com', status: 429, code: 'ETIMEDOUT', isTransient: true }),
		{},
		`list the forms: ${NO_TOKEN}, because login.example.com failed (429). Try again later.`,
	],
	[
		'a token address that breaks off',
		tokenless({ host: 'login.example.com', code: 'ECONNRESET', isTransient: true }),
		{},
		`list the forms: ${NO_TOKEN}, because login.example.com failed. Try again later.`,
	],
	[
		'a token address that is not there',
		tokenless({ host: 'login.example.com', code: 'ENOTFOUND', isTransient: true }),
		{},
		`list the forms: ${NO_TOKEN}, because the host name login.example.com was not found. Check the Access Token URL of the credential, and the network of n8n.`,
	],
	[
		'a token address whose name n8n does not tell',
		tokenless({ code: 'ECONNREFUSED', isTransient: true }),
		{},
		`list the forms: ${NO_TOKEN}, because the Access Token URL refused the connection. Check the Access Token URL of the credential, and the network of n8n.`,
	],
];
