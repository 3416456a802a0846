import type { Failure } from '../../../../nodes/FormResponses/transport/types';
import { apiError, isAllowanceError } from '../../../../nodes/FormResponses/transport/errors';
import { anError } from '../../../samples';
import { answer, failureOf, node } from './failure.fixture';
import { MESSAGES, subscribe } from './messages.fixture';

const errorOf = (outcome: Failure['outcome'], failure: Partial<Failure> = {}) =>
	apiError(node, failureOf(outcome, failure));

describe('a refused subscription', () => {
	const isAllowance = (message: string) =>
		isAllowanceError(errorOf(answer(400, anError('x', message)), { request: subscribe }));

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

describe.each(MESSAGES)('%s', (_, outcome, failure, expected) => {
	const { message, description } = errorOf(outcome, failure);

	test('is told with the way out', () => {
		expect(message).toBe(`Could not ${expected}`);
	});

	test('is told once, in short', () => {
		const [, told] = /^Could not [^:]+: (.*)$/.exec(message)!;
		const sentences = told.split(/(?<=[.!?…]) /);
		const all = [...sentences, ...(description ?? '').split('\n')];
		expect(sentences.length).toBeLessThanOrEqual(2);
		expect(new Set(all).size).toBe(all.length);
		expect(message).not.toMatch(/[.!?:,] ?[.!?:,]|\s\s|undefined|null/);
		expect(message).toMatch(/[.!?…]$/);
		expect(message.length).toBeLessThanOrEqual(300);
	});
});

test('the words of the service are kept, also where n8n would replace them for a name among them', () => {
	const body = anError('invalid_request', 'EEXIST: the limit ENOTFOUND was ECONNREFUSED', '');
	expect(errorOf(answer(400, body)).message).toBe(
		'Could not list the forms: EEXIST: the limit ENOTFOUND was ECONNREFUSED.',
	);
});

test('the words of the service are cut to one line of 500 characters, after its secrets are masked', () => {
	const secret = 'token-4711-0815';
	const said = `One\n\ttwo\u0007 ${'x'.repeat(485)} ${secret} ${'y'.repeat(20_000)}`;
	const { message } = errorOf(answer(400, anError('x', said, '')), { secrets: [secret] });
	expect(message).toBe(`Could not list the forms: One two ${'x'.repeat(485)} *** y…`);
});
