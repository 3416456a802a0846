import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { outcomeOfAnswer, outcomeOfError } from '../../../../nodes/FormResponses/transport/outcome';
import type { ApiRequest, Outcome } from '../../../../nodes/FormResponses/transport/types';
import { BASE_URL } from '../../../service';

/** What n8n's clients throw; the fields are theirs. */
const errorOf = (message: string, fields: object = {}): Error =>
	Object.assign(new Error(message), fields);

const config = { url: `${BASE_URL}/me` };
const elsewhere = { url: `https://login.example.com/token?for=${BASE_URL}` };
const headers = { 'retry-after': '1' };

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
		['of the network', errorOf('x', { code: 'EPIPE', config }), { kind: 'fault', code: 'EPIPE' }],
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
			errorOf('x', { messages: ['connect ECONNREFUSED 127.0.0.1:80'] }),
			{ kind: 'fault', code: 'ECONNREFUSED' },
		],
		[
			'that no other try mends',
			errorOf('x', { code: 'CERT_HAS_EXPIRED', config }),
			{ kind: 'impossible', code: 'CERT_HAS_EXPIRED', message: 'x' },
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
		expect(outcomeOfError(error, BASE_URL)).toEqual(outcome);
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
		expect(outcomeOfError(error, BASE_URL)).toEqual(outcome);
	});

	test('and nothing else', () => {
		expect(outcomeOfError(errorOf('Boom'))).toEqual(ofToken({ message: 'Boom' }));
	});
});

describe('an answer', () => {
	const outcomeOf = (statusCode: number, body: unknown, request: Partial<ApiRequest> = {}) =>
		outcomeOfAnswer(
			{ answer: (value: unknown) => (value === 'good' ? undefined : ''), ...request } as ApiRequest,
			{ statusCode, headers, body } as IN8nHttpFullResponse,
		);

	test.each<[string, Outcome, Outcome]>([
		[
			'as documented',
			outcomeOf(200, 'good'),
			{ kind: 'answer', status: 200, headers, body: 'good' },
		],
		['of another form', outcomeOf(200, 'bad'), { kind: 'unreadable', status: 200, body: 'bad' }],
		[
			'with the status that it has to have',
			outcomeOf(201, 'good', { status: 201 }),
			{ kind: 'answer', status: 201, headers, body: 'good' },
		],
		[
			'with another status of success',
			outcomeOf(200, 'good', { status: 201 }),
			{ kind: 'unreadable', status: 200, body: 'good' },
		],
		['that refuses', outcomeOf(404, 'bad'), { kind: 'answer', status: 404, headers, body: 'bad' }],
		[
			'that redirects',
			outcomeOf(300, 'bad'),
			{ kind: 'answer', status: 300, headers, body: 'bad' },
		],
	])('%s', (_, outcome, expected) => {
		expect(outcome).toEqual(expected);
	});
});
