import { errorBodyOf, quoted } from '../../../../../nodes/FormResponses/transport/errorBody';
import { answer, fault } from './outcome.fixture';

const nothing = { code: '', message: '', hint: '', docs: '' };

test.each<[string, Parameters<typeof errorBodyOf>[0], Partial<typeof nothing>]>([
	[
		'all that is documented',
		answer(400, { ...nothing, code: 'c', message: 'm' }),
		{ code: 'c', message: 'm' },
	],
	['an error without a message', answer(500, { error: 'Failed' }), { message: 'Failed' }],
	['no body', answer(418, ''), {}],
	['a list', answer(418, ['x']), {}],
	['null', answer(418, null), {}],
	['fields of other types', answer(418, { code: 7, message: {}, hint: null, docs: [] }), {}],
	['a fault of the network', fault('ECONNRESET'), {}],
])('reads %s', (_, outcome, expected) => {
	expect(errorBodyOf(outcome, [])).toEqual({ ...nothing, ...expected });
});

test('the words of others are cut to one line of 500 characters, after secrets are masked', () => {
	const secret = 'token-4711-0815';
	const text = `One\n\ttwo\u0007 ${'x'.repeat(485)} ${secret} ${'y'.repeat(20_000)}`;
	expect(quoted(text, [secret])).toBe(`One two ${'x'.repeat(485)} *** y…`);
	expect(quoted('x'.repeat(500), [])).toBe('x'.repeat(500));
});
