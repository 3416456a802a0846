import { outcomeOfAnswer, outcomeOfError } from '../../../../nodes/FormResponses/transport/outcome';
import type { ApiRequest, Outcome } from '../../../../nodes/FormResponses/transport/types';
import { BASE_URL } from '../../../service';

/** What n8n's clients throw; the fields are theirs. */
const errorOf = (message: string, fields: object = {}): Error =>
	Object.assign(new Error(message), fields);

const config = { url: `${BASE_URL}/me` };
const elsewhere = { url: `https://login.example.com/token?for=${BASE_URL}` };
const headers = { 'retry-after': '1' };

const lookup = {
	method: 'GET',
	answer: (value: unknown) => (value === 'good' ? undefined : ''),
} as ApiRequest;

const ofToken = (fields: object): Outcome =>
	({ kind: 'tokenless', isTransient: false, ...fields }) as Outcome;

describe('an error while something was asked of the service', () => {
	test.each<[string, Error, Outcome]>([
		[
			'with the answer of the service',
			errorOf('Failed', { config, response: { status: 404, headers, data: { code: 'x' } } }),
			{ kind: 'answer', status: 404, headers, body: { code: 'x' } },
		],
		[
			'with the answer of the service, wrapped twice',
			errorOf('Bad', {
				cause: errorOf('Failed', {
					cause: errorOf('404', { config, response: { status: 404, data: 'none' } }),
				}),
			}),
			{ kind: 'answer', status: 404, headers: {}, body: 'none' },
		],
		[
			'of which n8n kept the status and the body',
			errorOf('Not found', { httpCode: '404', context: { data: { code: 'x' } } }),
			{ kind: 'answer', status: 404, headers: {}, body: { code: 'x' } },
		],
		[
			'of which n8n kept the status alone',
			errorOf('Busy', { httpCode: '503' }),
			{ kind: 'answer', status: 503, headers: {}, body: undefined },
		],
		...['Z_DATA_ERROR', 'ERR_BAD_RESPONSE', 'ERR__ERROR_FORMAT_PADDING_2'].map(
			(code): [string, Error, Outcome] => [
				`whose body was lost (${code})`,
				errorOf('x', { code, config, response: { status: 200, headers } }),
				{ kind: 'unreadable', status: 200, body: undefined },
			],
		),
		[
			'whose body was lost, of which n8n kept the status',
			errorOf('stream has been aborted', { httpCode: '201' }),
			{ kind: 'unreadable', status: 201, body: undefined },
		],
		...['EPIPE', 'HPE_INVALID_CONSTANT', 'ERR_HTTP2_STREAM_ERROR'].map(
			(code): [string, Error, Outcome] => [
				`of the network (${code})`,
				errorOf('x', { code, config }),
				{ kind: 'fault', code },
			],
		),
		[
			'of a proxy that refuses',
			errorOf('connect ECONNREFUSED 10.0.0.1:3128', { code: 'ECONNREFUSED', config }),
			{ kind: 'fault', code: 'ECONNREFUSED', proxy: '10.0.0.1:3128' },
		],
		[
			'of a proxy that is not there',
			errorOf('getaddrinfo ENOTFOUND proxy.local', { code: 'ENOTFOUND', config }),
			{ kind: 'fault', code: 'ENOTFOUND', proxy: 'proxy.local' },
		],
		[
			'of the service itself at two addresses',
			errorOf('connect ECONNREFUSED ::1:443; connect ECONNREFUSED 127.0.0.1:443', {
				...{ code: 'ECONNREFUSED', config },
			}),
			{ kind: 'fault', code: 'ECONNREFUSED' },
		],
		[
			'of the service itself, which refuses',
			errorOf('connect ECONNREFUSED 10.0.0.2:443', { code: 'ECONNREFUSED', config }),
			{ kind: 'fault', code: 'ECONNREFUSED' },
		],
		[
			'of the service itself, which is not there',
			errorOf('getaddrinfo ENOTFOUND forms.example.com', { code: 'ENOTFOUND', config }),
			{ kind: 'fault', code: 'ENOTFOUND' },
		],
		[
			'of the network, wrapped',
			errorOf('x', { cause: errorOf('y', { code: 'ENOTFOUND' }) }),
			{ kind: 'fault', code: 'ENOTFOUND' },
		],
		[
			'of the network, of which n8n kept the code',
			errorOf('x', { httpCode: 'ETIMEDOUT' }),
			{ kind: 'fault', code: 'ETIMEDOUT' },
		],
		[
			'of the network, of which n8n kept the words',
			errorOf('x', { messages: ['connect ECONNREFUSED 127.0.0.1:443'] }),
			{ kind: 'fault', code: 'ECONNREFUSED' },
		],
		[
			'that no other try mends',
			errorOf('x', { code: 'CERT_HAS_EXPIRED', config }),
			{ kind: 'impossible', code: 'CERT_HAS_EXPIRED', message: 'x' },
		],
		[
			'of a stored credential that cannot be decrypted',
			errorOf('x', { cause: errorOf('bad decrypt', { code: 'ERR_OSSL_BAD_DECRYPT' }) }),
			{ kind: 'impossible', code: 'ERR_OSSL_BAD_DECRYPT', message: 'bad decrypt' },
		],
		['in words alone', errorOf('Boom'), { kind: 'impossible', code: undefined, message: 'Boom' }],
		[
			'with capitals in words',
			errorOf('An END'),
			{ kind: 'impossible', code: undefined, message: 'An END' },
		],
		[
			'by its code, of a canceled run',
			errorOf('x', { code: 'ERR_CANCELED', config }),
			{ kind: 'canceled' },
		],
		['by its words, of a canceled run', errorOf('canceled'), { kind: 'canceled' }],
	])('%s', (_, error, outcome) => {
		expect(outcomeOfError(error, { request: lookup, baseUrl: BASE_URL })).toEqual(outcome);
	});
});

describe('an error while a token was asked for', () => {
	test.each<[string, Error, Outcome]>([
		[
			'at an address that names the service as well',
			errorOf('x', { config: elsewhere, response: { status: 400 } }),
			ofToken({ host: 'login.example.com', status: 400, message: 'x' }),
		],
		[
			'by an address that is asked too often',
			errorOf('x', { config: elsewhere, response: { status: 429 } }),
			ofToken({ host: 'login.example.com', status: 429, message: 'x', isTransient: true }),
		],
		[
			'by an address that is not there',
			errorOf('x', { config: elsewhere, code: 'ENOTFOUND' }),
			ofToken({ host: 'login.example.com', code: 'ENOTFOUND', message: 'x', isTransient: true }),
		],
		[
			"in the words of n8n's client",
			errorOf('Refused', { code: 'EAUTH', status: 400 }),
			ofToken({ status: 400, code: 'EAUTH', message: 'Refused' }),
		],
		[
			'that there never was',
			errorOf('Wrapped', { cause: errorOf('Unable to sign without access token') }),
			ofToken({ message: 'Unable to sign without access token' }),
		],
	])('%s', (_, error, outcome) => {
		expect(outcomeOfError(error, { request: lookup, baseUrl: BASE_URL })).toEqual(outcome);
	});

	test('and nothing else', () => {
		expect(outcomeOfError(errorOf('Boom'))).toEqual(ofToken({ message: 'Boom' }));
	});
});

describe('an answer', () => {
	const gone = { code: 'not_found' };

	test.each<[string, Partial<ApiRequest>, [number, unknown] | undefined, Outcome]>([
		['as documented', {}, [200, 'good'], { kind: 'done', body: 'good' }],
		['of another form', {}, [200, 'bad'], { kind: 'unreadable', status: 200, body: 'bad' }],
		['as documented, to POST', { method: 'POST' }, [201, 'good'], { kind: 'done', body: 'good' }],
		[
			'with another status of success',
			{ method: 'POST' },
			[200, 'good'],
			{ kind: 'unreadable', status: 200, body: 'good' },
		],
		[
			'without a body to a request whose answer has none, with another status',
			{ method: 'DELETE', answer: () => undefined },
			[200, undefined],
			{ kind: 'unreadable', status: 200, body: undefined },
		],
		['that n8n does not give', {}, undefined, { kind: 'unreadable', status: 200, body: undefined }],
		['that refuses', {}, [404, gone], { kind: 'answer', status: 404, headers, body: gone }],
		['that redirects', {}, [300, 'bad'], { kind: 'answer', status: 300, headers, body: 'bad' }],
		[
			'that something is gone, where that is as good',
			{ absentIsSuccess: true },
			[404, gone],
			{ kind: 'done', body: undefined },
		],
		...['<html>', { message: 'Not found' }, { code: 404 }, { code: 'NO_ROUTE' }, null].map(
			(body): [string, Partial<ApiRequest>, [number, unknown], Outcome] => [
				`that something is gone, in other words than those of the API: ${JSON.stringify(body)}`,
				{ absentIsSuccess: true },
				[404, body],
				{ kind: 'answer', status: 404, headers, body },
			],
		),
	])('%s', (_, request, answer, expected) => {
		const [statusCode, body] = answer ?? [0];
		const given = answer && { statusCode, headers, body };
		expect(outcomeOfAnswer({ ...lookup, ...request }, given)).toEqual(expected);
	});
});
