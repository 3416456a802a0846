import { NodeApiError } from 'n8n-workflow';
import { FORM_LIST } from '../../../../../nodes/FormResponses/transport/endpoints';
import {
	isAbsent,
	isAllowanceError,
	isAnswerLost,
	isFault,
	mayBeDone,
	retryAfterOf,
} from '../../../../../nodes/FormResponses/transport/errors';
import type { Failure } from '../../../../../nodes/FormResponses/transport/types';
import { everythingIn } from '../../../kit/allText';
import { anError } from '../../../kit/samples';
import { errorOf } from './failure.fixture';
import { answer, canceled, fault, impossible, tokenless, unreadable } from './outcome.fixture';

const docs = 'https://forms.example.com/docs';

test('the details hold status, code, hint and docs; the description shows the code', () => {
	const error = errorOf(answer(404, anError('not_found', 'No such form', 'Look')));
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error.httpCode).toBe('404');
	expect(error.context.data).toEqual({ status: 404, code: 'not_found', hint: 'Look', docs });
	expect(error.description).toBe('Code: not_found');
});

test('a hint that the message has is not among the details', () => {
	const error = errorOf(answer(400, anError('x', 'Bad', 'Look')));
	expect(error.message).toContain('Look');
	expect(error.context.data).toMatchObject({ hint: null });
});

test('the description has no line for what the service does not tell', () => {
	const error = errorOf(answer(404, { code: 'not_found', hint: 'Look' }));
	expect(error.description).toBe('Code: not_found');
});

test('the details are null where the service gives none', () => {
	const nothing = { status: 418, code: null, hint: null, docs: null };
	expect(errorOf(answer(418, '')).context.data).toEqual(nothing);
});

const secret = 'tok/en+with?signs&more';

test.each<[string, Failure['outcome']]>([
	[
		'what the service says',
		answer(401, {
			code: `c ${secret}`,
			message: `Token ${secret} has expired: Bearer ${secret}`,
			error: secret,
			hint: `Do not use ${encodeURIComponent(secret)}`,
			docs: `${docs}?token=${secret}`,
		}),
	],
	['an error alone', answer(500, { error: `failed for ${secret}` })],
	['a redirect', answer(302, '', { location: `https://${encodeURIComponent(secret)}/x` })],
	['the network', impossible(`Authorization: Bearer ${secret}`)],
])('a token never appears in the words of %s', (_, outcome) => {
	for (const authentication of ['apiKey', 'oAuth2'] as const) {
		const text = everythingIn(errorOf(outcome, { secrets: [secret], authentication }));
		expect(text).not.toContain(secret);
		expect(text).not.toContain(encodeURIComponent(secret));
	}
});

const limited = { cause: 'rate-limited', retryAfterMs: 4_000 };
const later = { cause: 'temporarily-unavailable', retryAfterMs: 4_000 };
const wrong = { cause: 'configuration-invalid' };
const noCredential = { cause: 'credential-invalid' };

test.each<[string, Failure['outcome'], fault: boolean, object | undefined]>([
	['429', answer(429), true, limited],
	['503', answer(503), true, later],
	['a fault', fault('EPIPE'), true, later],
	['a page', unreadable(200, ''), true, later],
	['a token later', tokenless('None', { isTransient: true }), true, later],
	['no token', tokenless('None'), false, noCredential],
	['401', answer(401), false, noCredential],
	['403', answer(403), false, wrong],
	['404', answer(404), false, wrong],
	['302', answer(302), false, wrong],
	['no trust', impossible('x'), false, wrong],
	['400', answer(400), false, undefined],
	['a canceled run', canceled, false, undefined],
])('%s: a fault: %p, to n8n %j', (_, outcome, isOfNetwork, declared) => {
	const error = errorOf(outcome, { askedWaitMs: 4_000 });
	expect([isFault(error), error.failure]).toEqual([isOfNetwork, declared]);
});

const subscribing = { ...FORM_LIST, method: 'POST', path: '/hooks' } as const;

test.each<[string, Failure['outcome'], told: boolean, isLost: boolean, mayBe: boolean]>([
	['500', answer(500), true, false, false],
	['503', answer(503), true, false, false],
	['a lost answer', fault('ECONNRESET'), true, true, true],
	['an unreadable answer', unreadable(201), true, false, true],
	['no connection', fault('ECONNREFUSED'), false, false, false],
	['no token', tokenless('None'), false, false, false],
	['400', answer(400), false, false, false],
])('a hook may have been made: %s: told: %p, the answer lost: %p, or unreadable: %p', (...row) => {
	const [, outcome, isTold, ...flags] = row;
	const error = errorOf(outcome, { request: subscribing });
	expect(error.message.includes('The hook may have been made')).toBe(isTold);
	expect([isAnswerLost(error), mayBeDone(error)]).toEqual(flags);
});

test.each<[Failure['outcome'], boolean]>([
	[answer(404, anError('not_found', 'No such hook')), true],
	[answer(404, anError('no_route', 'No such page')), false],
	[answer(404, '<html>'), false],
	[fault('ECONNRESET'), false],
])('%j: the service has no such thing: %p', (outcome, expected) => {
	expect(isAbsent(errorOf(outcome))).toBe(expected);
});

test('the wait that was asked for', () => {
	expect(retryAfterOf(errorOf(answer(503), { askedWaitMs: 4_000 }))).toBe(4_000);
	expect(retryAfterOf(errorOf(answer(503)))).toBeUndefined();
	expect(retryAfterOf(new Error('Boom'))).toBeUndefined();
});

const tooMany = anError('invalid_request', 'Too many subscriptions');
const full = answer(400, tooMany);
const because = (hint: string) => answer(400, anError('invalid_request', 'No', hint));

test.each<[string, (error: Error) => boolean, Failure['outcome'], boolean]>([
	['too many hooks', isAllowanceError, full, true],
	['a lost answer', isAnswerLost, fault('ECONNRESET'), true],
	[
		'a hint in the same words',
		isAllowanceError,
		because(errorOf(full, { request: subscribing }).message),
		false,
	],
])('%s is told by what happened, whatever the message says', (_, isSuch, outcome, expected) => {
	const secrets = ['no longer needed', 'may have been made'];
	expect(isSuch(errorOf(outcome, { request: subscribing, secrets }))).toBe(expected);
	expect(isSuch(errorOf(outcome, { request: subscribing }))).toBe(expected);
});

test.each<[string, Failure['outcome'], Failure['request'], boolean]>([
	['400', full, subscribing, true],
	['another status', answer(403, tooMany), subscribing, false],
	['400 without a code', answer(400, { message: tooMany.message }), subscribing, false],
	['no answer', fault('ECONNRESET'), subscribing, false],
	['400 to another request', full, FORM_LIST, false],
])('too many hooks are told by a refusal of the hook: %s', (_, outcome, request, expected) => {
	expect(isAllowanceError(errorOf(outcome, { request }))).toBe(expected);
});

test('an error of another kind is none of these', () => {
	for (const isSuch of [isAbsent, isAllowanceError, isAnswerLost, isFault, mayBeDone]) {
		expect(isSuch(new Error('Boom'))).toBe(false);
	}
});
