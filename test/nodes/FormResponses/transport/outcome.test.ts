import { outcomeOfAnswer, outcomeOfError } from '../../../../nodes/FormResponses/transport/outcome';
import type { ApiRequest, Outcome } from '../../../../nodes/FormResponses/transport/types';
import { BASE_URL } from '../../../service';
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

describe('an error while something was asked of the service', () => {
	const kept404 = { config, response: { status: 404, headers, data: gone } };
	const lost = (code: string) => errorOf('x', { code, config, response: { status: 200, headers } });
	const connection = (code: string, message: string) => errorOf(message, { code, config });

	test.each<[string, Error, Outcome]>([
		['with an answer', errorOf('Failed', kept404), answer(404, gone, headers)],
		[
			'with an answer, wrapped twice',
			errorOf('Bad', { cause: errorOf('Failed', { cause: errorOf('404', kept404) }) }),
			answer(404, gone, headers),
		],
		[
			'of which n8n kept the status and the body',
			errorOf('Not found', { httpCode: '404', context: { data: gone } }),
			answer(404, gone),
		],
		['of which n8n kept the status', errorOf('Busy', { httpCode: '503' }), answer(503, undefined)],
		['whose body cannot be unpacked', lost('Z_DATA_ERROR'), unreadable(200)],
		['whose body is no body', lost('ERR_BAD_RESPONSE'), unreadable(200)],
		['whose body was lost', lost('ERR__ERROR_FORMAT_PADDING_2'), unreadable(200)],
		['whose body was lost before', errorOf('aborted', { httpCode: '201' }), unreadable(201)],
		['of the network', connection('EPIPE', 'x'), fault('EPIPE')],
		['of HTTP', connection('HPE_INVALID_CONSTANT', 'x'), fault('HPE_INVALID_CONSTANT')],
		['of HTTP/2', connection('ERR_HTTP2_STREAM_ERROR', 'x'), fault('ERR_HTTP2_STREAM_ERROR')],
		[
			'of a proxy that refuses',
			connection('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:3128'),
			fault('ECONNREFUSED', '10.0.0.1:3128'),
		],
		[
			'of a proxy that is not there',
			connection('ENOTFOUND', 'getaddrinfo ENOTFOUND proxy.local'),
			fault('ENOTFOUND', 'proxy.local'),
		],
		[
			'of the service itself at two addresses',
			connection(
				'ECONNREFUSED',
				'connect ECONNREFUSED ::1:443; connect ECONNREFUSED 127.0.0.1:443',
			),
			fault('ECONNREFUSED'),
		],
		[
			'of the service itself, which refuses',
			connection('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.2:443'),
			fault('ECONNREFUSED'),
		],
		[
			'of the service itself, which is not there',
			connection('ENOTFOUND', 'getaddrinfo ENOTFOUND forms.example.com'),
			fault('ENOTFOUND'),
		],
		['wrapped', errorOf('x', { cause: errorOf('y', { code: 'EPIPE' }) }), fault('EPIPE')],
		['of which n8n kept the code', errorOf('x', { httpCode: 'ETIMEDOUT' }), fault('ETIMEDOUT')],
		[
			'of which n8n kept the words',
			errorOf('x', { messages: ['connect ECONNREFUSED 127.0.0.1:443'] }),
			fault('ECONNREFUSED'),
		],
		[
			'that no other try mends',
			connection('CERT_HAS_EXPIRED', 'x'),
			impossible('x', 'CERT_HAS_EXPIRED'),
		],
		[
			'of a stored credential that cannot be decrypted',
			errorOf('x', { cause: errorOf('bad decrypt', { code: 'ERR_OSSL_BAD_DECRYPT' }) }),
			impossible('bad decrypt', 'ERR_OSSL_BAD_DECRYPT'),
		],
		['in words alone', errorOf('Boom'), impossible('Boom')],
		['with capitals in words', errorOf('An END'), impossible('An END')],
		['by its code, of a canceled run', connection('ERR_CANCELED', 'x'), canceled],
		['by its words, of a canceled run', errorOf('canceled'), canceled],
	])('%s', (_, error, outcome) => {
		expect(outcomeOfError(error, { request: lookup, baseUrl: BASE_URL })).toEqual(outcome);
	});
});

describe('an error while a token was asked for', () => {
	const host = 'login.example.com';
	const atOtherAddress = (fields: object) => errorOf('x', { config: elsewhere, ...fields });

	test.each<[string, Error, Outcome]>([
		[
			'at an address that names the service as well',
			atOtherAddress({ response: { status: 400 } }),
			tokenless('x', { host, status: 400 }),
		],
		[
			'by an address that is asked too often',
			atOtherAddress({ response: { status: 429 } }),
			tokenless('x', { host, status: 429, isTransient: true }),
		],
		[
			'by an address that is not there',
			atOtherAddress({ code: 'ENOTFOUND' }),
			tokenless('x', { host, code: 'ENOTFOUND', isTransient: true }),
		],
		[
			"in the words of n8n's client",
			errorOf('Refused', { code: 'EAUTH', status: 400 }),
			tokenless('Refused', { status: 400, code: 'EAUTH' }),
		],
		[
			'that there never was',
			errorOf('Wrapped', { cause: errorOf('Unable to sign without access token') }),
			tokenless('Unable to sign without access token'),
		],
	])('%s', (_, error, outcome) => {
		expect(outcomeOfError(error, { request: lookup, baseUrl: BASE_URL })).toEqual(outcome);
	});

	test('and nothing else', () => {
		expect(outcomeOfError(errorOf('Boom'))).toEqual(tokenless('Boom'));
	});
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
