import { redact } from '../../../../../nodes/FormResponses/transport/redact';

test.each([
	['a token', 'tok/en+1', 'Token tok/en+1 and tok/en+1', 'Token *** and ***'],
	['one in an address', 'tok/en+1', 'https://x.example?t=tok%2Fen%2B1', 'https://x.example?t=***'],
	['one of 8 characters', 'a1b2c3d4', 'x a1b2c3d4 y', 'x *** y'],
	['one of letters only', 'abcdefghijklmnopq', 'abcdefghijklmnopq', '***'],
	['one with a digit', 'password1', 'password1', '***'],
])('%s is masked', (_, secret, text, clean) => {
	expect(redact(text, ['another-secret-0', secret])).toBe(clean);
});

test('a secret that begins another one leaves nothing of it', () => {
	expect(redact('x abc12345.more y', ['abc12345', 'abc12345.more'])).toBe('x *** y');
});

test.each([
	['Got "Bearer abc.def" and', 'Got "Bearer ***" and'],
	['bearer gh1, then', 'bearer *** then'],
	['Bearer x/y', 'Bearer ***'],
	["'Basic bXk6Y3M='", "'Basic ***'"],
	['<Bearer   a1>', '<Bearer ***>'],
	['Bearer abcdefghijklmnopq', 'Bearer ***'],
])('a token that is not known is masked behind its scheme: %s', (text, clean) => {
	expect(redact(text, [])).toBe(clean);
});

test.each([
	['form', 'No such form, said the form service'],
	['ab', 'abandoned about a table'],
	['a1b2c3d', 'seven characters: a1b2c3d'],
	['playground', 'The playground is closed'],
	['two-parts', 'It has two-parts'],
	['abcdefghijklmnop', 'abcdefghijklmnop'],
	['', 'Send a valid bearer token'],
	['', 'Send "Authorization: Bearer your-token".'],
	['', 'A bearer token. A Bearer access-token, please!'],
	['', "Use a bearer user's."],
	['', 'forbearer x1'],
])('ordinary words stay, with the client secret %j: %s', (secret, text) => {
	expect(redact(text, [secret])).toBe(text);
});
