import { NodeApiError } from 'n8n-workflow';
import { apiError, isFault, isRefusal } from '../../../../nodes/FormResponses/transport/errors';
import type { Failure, Authentication } from '../../../../nodes/FormResponses/transport/types';
import { everythingIn } from '../../../in-process/everything';
import { anError } from '../../../samples';
import { answer, failureOf, node } from './failure.fixture';

describe('the details', () => {
	test('hold status, code, hint and docs, and the description shows them', () => {
		const error = apiError(
			node,
			failureOf(answer(404, anError('not_found', 'No such form', 'Look'))),
		);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.httpCode).toBe('404');
		expect(error.context.data).toEqual({
			status: 404,
			code: 'not_found',
			hint: 'Look',
			docs: 'https://forms.example.com/docs',
		});
		expect(error.description).toBe(
			'Code: not_found\nDocumentation: https://forms.example.com/docs',
		);
	});

	test.each<[string, unknown]>([
		['no body', ''],
		['HTML', '<html>'],
		['a list', ['x']],
		['null', null],
		['fields of other types', { code: 7, message: {}, hint: null, docs: [] }],
	])('are null where the service gives %s', (_, body) => {
		const error = apiError(node, failureOf(answer(418, body)));
		expect(error.context.data).toEqual({ status: 418, code: null, hint: null, docs: null });
	});
});

test.each([
	[400, null],
	[404, 'Look'],
])('of an error item with status %i, the hint is %j: the message says it once', (status, hint) => {
	const error = apiError(node, failureOf(answer(status, anError('x', 'Bad', 'Look'))));
	expect(error.context.data).toMatchObject({ hint });
	expect(error.message.includes('Look')).toBe(hint === null);
});

test('the description has no line for what the service does not tell', () => {
	const error = apiError(node, failureOf(answer(404, { code: 'not_found', hint: 'Look' })));
	expect(error.description).toBe('Code: not_found');
});

describe('a token never appears', () => {
	const secret = 'tok/en+with?signs&more';

	test.each<[string, Failure['outcome']]>([
		[
			'in what the service says',
			answer(401, {
				code: `c ${secret}`,
				message: `Token ${secret} has expired: Bearer ${secret}`,
				error: secret,
				hint: `Do not use ${encodeURIComponent(secret)}`,
				docs: `https://forms.example.com/docs?token=${secret}`,
			}),
		],
		['in the error only', answer(500, { error: `failed for ${secret}` })],
		['in a redirect', answer(302, '', { location: `https://${encodeURIComponent(secret)}/x` })],
		[
			'in a message of the network',
			{ kind: 'impossible', message: `Authorization: Bearer ${secret}` },
		],
	])('%s', (_, outcome) => {
		for (const authentication of ['apiKey', 'oAuth2'] as Authentication[]) {
			const failure = failureOf(outcome, { secrets: [secret], authentication });
			const text = everythingIn(apiError(node, failure));
			expect(text).not.toContain(secret);
			expect(text).not.toContain(encodeURIComponent(secret));
		}
	});
});

describe('what an error means', () => {
	const errorOf = (outcome: Failure['outcome'], failure: Partial<Failure> = {}) =>
		apiError(node, failureOf(outcome, failure));

	test.each<[string, Error, { isFault: boolean; isRefusal: boolean }]>([
		['400', errorOf(answer(400)), { isFault: false, isRefusal: true }],
		['404', errorOf(answer(404)), { isFault: false, isRefusal: true }],
		['429', errorOf(answer(429)), { isFault: true, isRefusal: true }],
		['302', errorOf(answer(302)), { isFault: false, isRefusal: false }],
		['500', errorOf(answer(500)), { isFault: true, isRefusal: false }],
		['504', errorOf(answer(504)), { isFault: true, isRefusal: false }],
		[
			'a broken connection',
			errorOf({ kind: 'fault', code: 'ECONNRESET' }),
			{ isFault: true, isRefusal: false },
		],
		['another error', new Error('Boom'), { isFault: false, isRefusal: false }],
	])('%s', (_, error, meaning) => {
		expect({ isFault: isFault(error), isRefusal: isRefusal(error) }).toEqual(meaning);
	});

	const tokenless = { kind: 'tokenless', message: 'None' } as const;
	const askedWaitMs = 4_000;

	test.each<[string, Failure['outcome'], object | undefined]>([
		['429', answer(429), { cause: 'rate-limited', retryAfterMs: askedWaitMs }],
		['503', answer(503), { cause: 'temporarily-unavailable', retryAfterMs: askedWaitMs }],
		['a fault', { kind: 'fault', code: 'EPIPE' }, { cause: 'temporarily-unavailable' }],
		['a page', { kind: 'unreadable', status: 200, body: '' }, { cause: 'temporarily-unavailable' }],
		['a token later', { ...tokenless, isTransient: true }, { cause: 'temporarily-unavailable' }],
		['no token', { ...tokenless, isTransient: false }, { cause: 'credential-invalid' }],
		['401', answer(401), { cause: 'credential-invalid' }],
		['403', answer(403), { cause: 'configuration-invalid' }],
		['404', answer(404), { cause: 'configuration-invalid' }],
		['302', answer(302), { cause: 'configuration-invalid' }],
		['no trust', { kind: 'impossible', message: 'x' }, { cause: 'configuration-invalid' }],
		['400', answer(400), undefined],
		['a canceled run', { kind: 'canceled' }, undefined],
	])('%s, as n8n calls it', (_, outcome, failure) => {
		const { failure: declared } = errorOf(outcome, { askedWaitMs });
		expect(declared).toEqual(failure && expect.objectContaining(failure));
	});
});
