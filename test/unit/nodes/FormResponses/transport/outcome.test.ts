import {
	outcomeOfAnswer,
	outcomeOfError,
} from '../../../../../nodes/FormResponses/transport/outcome';
import type { ApiRequest, Outcome } from '../../../../../nodes/FormResponses/transport/types';
import { BASE_URL } from '../../../kit/formService';
import { answer, canceled, fault, impossible, tokenless, unreadable } from './outcome.fixture';

/** What n8n's clients throw; the fields are theirs. */
const errorOf = (message: string, fields: object = {}): Error =>
	Object.assign(new Error(message), fields);

const config = { url: `${BASE_URL}/me` };
const elsewhere = { url: `https://login.example.com/token?for=${BASE_URL}` };
const headers = { 'retry-after': '1' };
const gone = { code: 'not_found' };

const lookup = {
	method: 'GET',
	answer: (value: unknown) => (value === 'good' ? undefined : ''),
} as ApiRequest;

const done = (body: unknown): Outcome => ({ kind: 'done', body });

const host = 'login.example.com';
const kept404 = { config, response: { status: 404, headers, data: gone } };
const lost = (code: string) => errorOf('x', { code, config, response: { status: 200, headers } });
const connection = (code: string, message = 'x') => errorOf(message, { code, config });
const kept = (httpCode: string, fields = {}) => errorOf('x', { httpCode, ...fields });
const around = (cause: Error) => errorOf('y', { cause });
const atOtherAddress = (fields: object) => errorOf('x', { config: elsewhere, ...fields });

const badDecrypt = around(errorOf('bad decrypt', { code: 'ERR_OSSL_BAD_DECRYPT' }));
const withWords = errorOf('x', { messages: ['connect ECONNREFUSED 127.0.0.1:443'] });
const TWO_ADDRESSES = 'connect ECONNREFUSED ::1:443; connect ECONNREFUSED 127.0.0.1:443';
const NO_TOKEN = 'Unable to sign without access token';

test.each<[string, Error, Outcome]>([
	['an answer', errorOf('x', kept404), answer(404, gone, headers)],
	['an answer, wrapped twice', around(around(errorOf('404', kept404))), answer(404, gone, headers)],
	[
		'the status and the body that n8n kept',
		kept('404', { context: { data: gone } }),
		answer(404, gone),
	],
	['the status that n8n kept', kept('503'), answer(503)],
	['a body that cannot be unpacked', lost('Z_DATA_ERROR'), unreadable(200)],
	['a body that is none', lost('ERR_BAD_RESPONSE'), unreadable(200)],
	['a body that was lost', lost('ERR__ERROR_FORMAT_PADDING_2'), unreadable(200)],
	['a body that was lost before', errorOf('aborted', { httpCode: '201' }), unreadable(201)],
	['the network', connection('EPIPE'), fault('EPIPE')],
	['HTTP', connection('HPE_INVALID_CONSTANT'), fault('HPE_INVALID_CONSTANT')],
	['HTTP/2', connection('ERR_HTTP2_STREAM_ERROR'), fault('ERR_HTTP2_STREAM_ERROR')],
	[
		'a proxy that refuses',
		connection('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:3128'),
		fault('ECONNREFUSED', '10.0.0.1:3128'),
	],
	[
		'a proxy that is not there',
		connection('ENOTFOUND', 'getaddrinfo ENOTFOUND proxy.local'),
		fault('ENOTFOUND', 'proxy.local'),
	],
	[
		'the service at two addresses',
		connection('ECONNREFUSED', TWO_ADDRESSES),
		fault('ECONNREFUSED'),
	],
	[
		'the service itself, which refuses',
		connection('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.2:443'),
		fault('ECONNREFUSED'),
	],
	[
		'the service itself, which is not there',
		connection('ENOTFOUND', 'getaddrinfo ENOTFOUND forms.example.com'),
		fault('ENOTFOUND'),
	],
	['the network, wrapped', around(errorOf('x', { code: 'EPIPE' })), fault('EPIPE')],
	['a code that n8n kept', kept('ETIMEDOUT'), fault('ETIMEDOUT')],
	['words that n8n kept', withWords, fault('ECONNREFUSED')],
	['what no other try mends', connection('CERT_HAS_EXPIRED'), impossible('x', 'CERT_HAS_EXPIRED')],
	['a credential not decrypted', badDecrypt, impossible('bad decrypt', 'ERR_OSSL_BAD_DECRYPT')],
	['words alone', errorOf('Boom'), impossible('Boom')],
	['words with capitals', errorOf('An END'), impossible('An END')],
	['the code of a canceled run', connection('ERR_CANCELED'), canceled],
	[
		'an address for tokens that names the service as well',
		atOtherAddress({ response: { status: 400 } }),
		tokenless('x', { host, status: 400 }),
	],
	[
		'an address for tokens that is asked too often',
		atOtherAddress({ response: { status: 429 } }),
		tokenless('x', { host, status: 429, isTransient: true }),
	],
	[
		'an address for tokens that is not there',
		atOtherAddress({ code: 'ENOTFOUND' }),
		tokenless('x', { host, code: 'ENOTFOUND', isTransient: true }),
	],
	[
		"the words of n8n's client for tokens",
		errorOf('Refused', { code: 'EAUTH', status: 400 }),
		tokenless('Refused', { status: 400, code: 'EAUTH' }),
	],
	['a token that there never was', around(errorOf(NO_TOKEN)), tokenless(NO_TOKEN)],
])('an error with %s', (_, error, outcome) => {
	expect(outcomeOfError(error, { request: lookup, baseUrl: BASE_URL })).toEqual(outcome);
});

test.each([
	['10.0.0.2:80', undefined],
	['10.0.0.2:443', '10.0.0.2:443'],
])('at http, the service has the port 80: one refuses at %s', (address, elsewhere) => {
	const baseUrl = BASE_URL.replace('https:', 'http:');
	const fields = { code: 'ECONNREFUSED', config: { url: `${baseUrl}/me` } };
	const error = errorOf(`connect ECONNREFUSED ${address}`, fields);
	const asked = { request: lookup, baseUrl };
	expect(outcomeOfError(error, asked)).toEqual(fault('ECONNREFUSED', elsewhere));
});

test('an error that is its own cause', () => {
	const error = errorOf('Boom');
	const outcome = outcomeOfError(Object.assign(error, { cause: error }));
	expect(outcome).toEqual(tokenless('Boom'));
});

test('an error while nothing but a token was asked for', () => {
	expect(outcomeOfError(errorOf('Boom'))).toEqual(tokenless('Boom'));
});

const absentIsSuccess = { absentIsSuccess: true };
const others = ['<html>', { message: 'Not found' }, { code: 404 }, { code: 'NO_ROUTE' }, null];

test.each<[string, Partial<ApiRequest>, number, unknown, Outcome]>([
	['as documented', {}, 200, 'good', done('good')],
	['of another form', {}, 200, 'bad', unreadable(200, 'bad')],
	['as documented, to POST', { method: 'POST' }, 201, 'good', done('good')],
	['with another status of success', { method: 'POST' }, 200, 'good', unreadable(200, 'good')],
	[
		'without a body to a request whose answer has none, with another status',
		{ method: 'DELETE', answer: () => undefined },
		200,
		undefined,
		unreadable(200),
	],
	['that refuses', {}, 404, gone, answer(404, gone, headers)],
	['that redirects', {}, 300, 'bad', answer(300, 'bad', headers)],
	['that something is gone, where that is as good', absentIsSuccess, 404, gone, done(undefined)],
	[
		'that refuses, with the code of what is gone',
		absentIsSuccess,
		403,
		gone,
		answer(403, gone, headers),
	],
	...others.map((body): [string, Partial<ApiRequest>, number, unknown, Outcome] => [
		`that something is gone, in other words than those of the API: ${JSON.stringify(body)}`,
		absentIsSuccess,
		404,
		body,
		answer(404, body, headers),
	]),
])('an answer %s', (_, request, statusCode, body, expected) => {
	const given = { statusCode, headers, body };
	expect(outcomeOfAnswer({ ...lookup, ...request }, given)).toEqual(expected);
});

test('no answer of n8n is unreadable', () => {
	expect(outcomeOfAnswer(lookup, undefined)).toEqual(unreadable(200));
});
