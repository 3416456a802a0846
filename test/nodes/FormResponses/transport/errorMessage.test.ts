import type { Failure } from '../../../../nodes/FormResponses/transport/errorMessage';
import { apiError, isAllowanceError } from '../../../../nodes/FormResponses/transport/errors';
import type { ApiRequest, Outcome } from '../../../../nodes/FormResponses/transport/types';
import { anError } from '../../../samples';
import { answer, failureOf, listForms, node } from './failure.fixture';

const subscribe: ApiRequest = {
	...listForms,
	method: 'POST',
	path: '/hooks',
	scope: 'hooks:write',
	purpose: 'subscribe to form 1',
};

const identify: ApiRequest = {
	...listForms,
	path: '/me',
	scope: undefined,
	purpose: 'identify the token',
};

const unreadable = (body: unknown, status = 200): Outcome => ({
	kind: 'unreadable',
	status,
	body,
});

const tokenless = (more: Partial<Outcome>): Outcome =>
	({ kind: 'tokenless', message: '', isTransient: false, ...more }) as Outcome;

const fault = (code: string): Outcome => ({ kind: 'fault', code });

const messageOf = (outcome: Outcome, failure: Partial<Failure> = {}) =>
	apiError(node, failureOf(outcome, failure)).message;

describe('a refused subscription', () => {
	const isAllowance = (message: string) =>
		isAllowanceError(
			apiError(node, failureOf(answer(400, anError('x', message)), { request: subscribe })),
		);

	test.each([
		'Too many',
		'Too many subscriptions',
		'Subscription limit reached',
		'You have reached your limit of 10 subscriptions',
		'No more than 10 hooks are allowed',
		'Maximum of 10 hooks reached',
		'The allowance is used up',
	])('"%s" is about their number', (message) => {
		expect(isAllowance(message)).toBe(true);
	});

	test.each([
		"The subscription's target URL is invalid",
		'The target URL has too many query parameters',
		'The target URL of the subscription exceeds the limit of 2,000 characters',
		'Subscriptions need an open form',
		'Too many redirects from the target URL',
	])('"%s" is about something else', (message) => {
		expect(isAllowance(message)).toBe(false);
	});
});

describe('the message says what happened and how to resolve it', () => {
	test.each<[string, Outcome, Partial<Failure>, string]>([
		[
			'400 with what the service says',
			answer(400, anError('invalid_request', 'The limit is out of range', 'Use 1 to 100')),
			{},
			'Could not list the forms: The limit is out of range. Use 1 to 100.',
		],
		[
			'400 without a body',
			answer(400),
			{},
			'Could not list the forms: the form service answered 400.',
		],
		[
			'too many subscriptions',
			answer(400, anError('invalid_request', 'Too many subscriptions', 'Remove one')),
			{ request: subscribe },
			'Could not subscribe to form 1: Too many subscriptions. The form service allows no more hooks. Unpublish a workflow whose Form Responses Trigger is no longer needed, or remove a hook with Hook: Delete. Remove one.',
		],
		[
			'an invalid target URL',
			answer(400, anError('invalid_request', 'The target URL is not valid', 'Use https')),
			{ request: subscribe },
			'Could not subscribe to form 1: The target URL is not valid. Use https.',
		],
		[
			'401 with an API key',
			answer(401),
			{ authentication: 'apiKey' },
			'Could not list the forms: the form service answered 401. The form service does not accept the API key. Check the API Key in the credential.',
		],
		[
			'401 with OAuth2',
			answer(401),
			{},
			'Could not list the forms: the form service answered 401. The form service does not accept the access token. Reconnect the OAuth2 credential.',
		],
		[
			'403 with an API key',
			answer(403),
			{ authentication: 'apiKey' },
			'Could not list the forms: the form service answered 403. This needs the scope forms:read, but an API key can only read responses (responses:read). Use an OAuth2 credential instead.',
		],
		[
			'403 with OAuth2',
			answer(403),
			{ request: subscribe },
			'Could not subscribe to form 1: the form service answered 403. The token lacks the scope hooks:write. Add it to the Scope of the OAuth2 credential and reconnect.',
		],
		[
			'403 where no scope is needed',
			answer(403),
			{ request: identify },
			'Could not identify the token: the form service answered 403. The form service does not allow this token.',
		],
		[
			'404 of something that has an ID',
			answer(404, anError('not_found', 'No such form', 'Check the ID')),
			{ request: { ...listForms, path: '/forms/1/responses' } },
			'Could not list the forms: No such form. It does not exist in this workspace, or no longer. Check the ID.',
		],
		[
			'404 of a form to subscribe to',
			answer(404),
			{ request: { ...subscribe, body: { formId: '1' } } },
			'Could not subscribe to form 1: the form service answered 404. It does not exist in this workspace, or no longer.',
		],
		[
			'404 of an address without an ID',
			answer(404),
			{},
			'Could not list the forms: the form service answered 404. There is no /forms at that address. Check that the Base URL of the credential is the address of the API.',
		],
		[
			'an OAuth2 credential that was never connected',
			tokenless({ message: 'Unable to sign without access token' }),
			{},
			'Could not list the forms: the OAuth2 credential was never connected. Open it and connect it to your account.',
		],
		[
			'a refused renewal of the token',
			tokenless({ message: 'The refresh token is invalid', code: 'EAUTH' }),
			{},
			'Could not list the forms: the OAuth2 credential could not get an access token: The refresh token is invalid. Reconnect it, or check its Access Token URL, Client ID and Client Secret.',
		],
		[
			'a token address that fails',
			tokenless({ host: 'login.example.com', status: 503, isTransient: true }),
			{},
			'Could not list the forms: the OAuth2 credential could not get an access token: login.example.com failed (503). Try again later.',
		],
		[
			'a token address that is not there',
			tokenless({ host: 'login.example.com', code: 'ENOTFOUND', isTransient: true }),
			{},
			'Could not list the forms: the OAuth2 credential could not get an access token: the host name login.example.com was not found. Check the Access Token URL of the credential and the DNS of this n8n.',
		],
		[
			'429',
			answer(429),
			{},
			'Could not list the forms: the form service answered 429. The form service limits how many requests it takes. Try again later.',
		],
		[
			'429 with a long wait',
			answer(429),
			{ askedWaitMs: 599_001 },
			'Could not list the forms: the form service answered 429. The form service limits how many requests it takes and asks to wait another 600 s. Try again later.',
		],
		[
			'500 after all tries',
			answer(500),
			{ attempts: 4 },
			'Could not list the forms: the form service failed 4 times (500). Try again later.',
		],
		[
			'what the service calls an error',
			answer(422, { error: ' The form is closed ', hint: ' Open it! ' }),
			{},
			'Could not list the forms: The form is closed. Open it!',
		],
		[
			'404 of a path with one part, of something to make',
			answer(404),
			{ request: { ...subscribe, path: '/hooks', body: undefined } },
			'Could not subscribe to form 1: the form service answered 404. There is no /hooks at that address. Check that the Base URL of the credential is the address of the API.',
		],
		[
			'an OAuth2 credential that n8n does not find connected',
			tokenless({ message: 'OAuth credentials not connected' }),
			{},
			'Could not list the forms: the OAuth2 credential was never connected. Open it and connect it to your account.',
		],
		[
			'a token address that answers something else',
			tokenless({ message: 'Unsupported content type: text/html but received: <b>tok</b>\nx' }),
			{},
			'Could not list the forms: the OAuth2 credential could not get an access token: Unsupported content type: text/html. Reconnect it, or check its Access Token URL, Client ID and Client Secret.',
		],
		[
			'a token address of which n8n does not tell the name',
			tokenless({ code: 'ECONNREFUSED', isTransient: true }),
			{},
			'Could not list the forms: the OAuth2 credential could not get an access token: the Access Token URL refused the connection. Check the host and port in the Access Token URL of the credential, and that the service is running there.',
		],
		[
			'a token address that breaks off',
			tokenless({ host: 'login.example.com', code: 'ECONNRESET', isTransient: true }),
			{},
			'Could not list the forms: the OAuth2 credential could not get an access token: login.example.com failed. Try again later.',
		],
		[
			'a token address that answers with the code of a fault',
			tokenless({ host: 'login.example.com', status: 429, code: 'ETIMEDOUT', isTransient: true }),
			{},
			'Could not list the forms: the OAuth2 credential could not get an access token: login.example.com failed (429). Try again later.',
		],
		[
			'a server error at the first try',
			answer(500),
			{ attempts: 1 },
			'Could not list the forms: the form service failed (500). Try again later.',
		],
		[
			'a redirect without an end',
			answer(300, '', { location: '/elsewhere' }),
			{},
			"Could not list the forms: the form service redirected the request to https://forms.example.com (300), which is not followed so that the token stays where it belongs. Enter the API's own address as Base URL of the credential.",
		],
		[
			'a broken connection while something was to be made',
			fault('ECONNRESET'),
			{ request: subscribe },
			'Could not subscribe to form 1: the connection to forms.example.com broke off, and what was asked may have been done. Try again later.',
		],
		[
			'an HTML page after blanks',
			unreadable(' \n <!doctype html>'),
			{},
			'Could not list the forms: the form service answered GET /forms with an HTML page rather than { data: Form[], nextCursor }. Check that the Base URL of the credential is the address of the API.',
		],
		[
			'plain text in which there are brackets',
			unreadable('OK: <b> [1] {}'),
			{},
			'Could not list the forms: the form service answered GET /forms with plain text rather than { data: Form[], nextCursor }. Check that the Base URL of the credential is the address of the API.',
		],
		[
			'blanks alone',
			unreadable(' \n'),
			{},
			'Could not list the forms: the form service answered GET /forms with nothing rather than { data: Form[], nextCursor }. Check that the Base URL of the credential is the address of the API.',
		],
		[
			'a list in JSON that is cut off, after blanks',
			unreadable('  [{"id":'),
			{},
			'Could not list the forms: the form service answered GET /forms with JSON that is cut off. Try again later.',
		],
		[
			'503 that is not tried again',
			answer(503, '<html>'),
			{ request: subscribe },
			'Could not subscribe to form 1: the form service failed (503). Try again later.',
		],
		[
			'a redirect',
			answer(302, '', { location: 'https://elsewhere.example.org/login?token=1' }),
			{},
			"Could not list the forms: the form service redirected the request to https://elsewhere.example.org (302), which is not followed so that the token stays where it belongs. Enter the API's own address as Base URL of the credential.",
		],
		[
			'a redirect to nowhere',
			answer(301),
			{},
			"Could not list the forms: the form service redirected the request (301), which is not followed so that the token stays where it belongs. Enter the API's own address as Base URL of the credential.",
		],
		[
			'an HTML page',
			unreadable('<!doctype html><title>Forms</title>'),
			{},
			'Could not list the forms: the form service answered GET /forms with an HTML page rather than { data: Form[], nextCursor }. Check that the Base URL of the credential is the address of the API.',
		],
		[
			'plain text',
			unreadable('OK'),
			{},
			'Could not list the forms: the form service answered GET /forms with plain text rather than { data: Form[], nextCursor }. Check that the Base URL of the credential is the address of the API.',
		],
		[
			'nothing at all',
			unreadable(''),
			{},
			'Could not list the forms: the form service answered GET /forms with nothing rather than { data: Form[], nextCursor }. Check that the Base URL of the credential is the address of the API.',
		],
		[
			'JSON that is cut off',
			unreadable('{"data":[{"id":"a'),
			{},
			'Could not list the forms: the form service answered GET /forms with JSON that is cut off. Try again later.',
		],
		[
			'a body that is odd in one place',
			unreadable({ data: [{ id: 'a', title: 7 }], nextCursor: null }),
			{},
			'Could not list the forms: the form service answered GET /forms with a body whose data[0].title is not as documented. Report it to the form service.',
		],
		[
			'JSON of another kind',
			unreadable(['a']),
			{},
			'Could not list the forms: the form service answered GET /forms with something other than { data: Form[], nextCursor }. Report it to the form service.',
		],
		[
			'another success status',
			unreadable({ id: '1' }, 200),
			{ request: { ...subscribe, status: 201 } },
			'Could not subscribe to form 1: the form service answered POST /hooks with status 200 rather than 201. Check that the Base URL of the credential is the address of the API.',
		],
		['a canceled run', { kind: 'canceled' }, {}, 'Could not list the forms: the run was canceled.'],
		[
			'DNS',
			fault('ENOTFOUND'),
			{},
			'Could not list the forms: the host name forms.example.com was not found. Check the Base URL of the credential and the DNS of this n8n.',
		],
		[
			'a closed port',
			fault('ECONNREFUSED'),
			{ baseUrl: 'http://localhost:5800/api/v1' },
			'Could not list the forms: localhost:5800 refused the connection. Check the host and port in the Base URL of the credential, and that the service is running there.',
		],
		[
			'a timeout',
			fault('ECONNABORTED'),
			{},
			'Could not list the forms: forms.example.com did not answer in time. Try again later.',
		],
		[
			'a network out of reach',
			fault('EHOSTUNREACH'),
			{},
			'Could not list the forms: forms.example.com cannot be reached from this n8n. Check its network and the Base URL of the credential.',
		],
		[
			'a broken connection',
			fault('ECONNRESET'),
			{},
			'Could not list the forms: the connection to forms.example.com broke off. Try again later.',
		],
		...[
			'CERT_HAS_EXPIRED',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'EPROTO',
		].map((code): [string, Outcome, Partial<Failure>, string] => [
			`TLS: ${code}`,
			{ kind: 'impossible', code, message: code },
			{},
			"Could not list the forms: no secure connection to forms.example.com could be made. Its certificate is not valid or not trusted by this n8n: if an authority of your own signed it, name that authority's file in NODE_EXTRA_CA_CERTS. If there is no certificate, the Base URL has to begin with http://.",
		]),
		[
			'a token that cannot be sent',
			{ kind: 'impossible', code: 'ERR_INVALID_CHAR', message: 'Invalid character in header' },
			{},
			'Could not list the forms: the token of the credential has a character that cannot be sent. Enter it again.',
		],
		[
			'anything else',
			{ kind: 'impossible', message: 'OAuth credentials not connected' },
			{},
			'Could not list the forms: OAuth credentials not connected.',
		],
	])('%s', (_, outcome, failure, message) => {
		expect(messageOf(outcome, failure)).toBe(message);
	});

	test('also where the service speaks of a name that n8n would replace the message for', () => {
		const body = anError('invalid_request', 'EEXIST: the limit ENOTFOUND was ECONNREFUSED', '');
		expect(messageOf(answer(400, body))).toBe(
			'Could not list the forms: EEXIST: the limit ENOTFOUND was ECONNREFUSED.',
		);
	});
});
