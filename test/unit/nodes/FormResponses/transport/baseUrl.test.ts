import { UserError } from 'n8n-workflow';
import { assertBaseUrl, NO_ITEM } from '../../../../../nodes/FormResponses/transport/baseUrl';

const RULE =
	'The Base URL of the credential must be an http or https address that ends in /api/v1, for example https://forms.example.com/api/v1.';

test.each([
	['https://forms.example.com/api/v1', 'https://forms.example.com/api/v1'],
	['https://forms.example.com/api/v1/', 'https://forms.example.com/api/v1'],
	['https://forms.example.com/api/v1///', 'https://forms.example.com/api/v1'],
	['  https://forms.example.com/api/v1/ \n', 'https://forms.example.com/api/v1'],
	['\u00a0https://forms.example.com/api/v1\u00a0', 'https://forms.example.com/api/v1'],
	['http://localhost:5800/api/v1', 'http://localhost:5800/api/v1'],
	['https://example.com/forms/api/v1', 'https://example.com/forms/api/v1'],
	['HTTPS://Forms.Example.com/api/v1', 'https://forms.example.com/api/v1'],
	['http://[::1]:5800/api/v1', 'http://[::1]:5800/api/v1'],
	['https://bücher.example.com/api/v1', 'https://xn--bcher-kva.example.com/api/v1'],
])('%j is taken as %j', (value, expected) => {
	expect(assertBaseUrl(value)).toBe(expected);
});

test.each([
	['empty', ''],
	['blank', '   '],
	['missing', undefined],
	['a number', 5],
	['null', null],
])('one that is %s is told to be empty, with what may be the reason', (_, value) => {
	expect(() => assertBaseUrl(value)).toThrow(`${RULE} It is empty. ${NO_ITEM}`);
});

test.each([
	['without scheme', 'forms.example.com/api/v1'],
	['with another scheme', 'ftp://forms.example.com/api/v1'],
	['a script', 'javascript:alert(1)//api/v1'],
	['without /api/v1', 'https://forms.example.com'],
	['of another version', 'https://forms.example.com/api/v2'],
	['of a path below', 'https://forms.example.com/api/v1/me'],
	['of a longer version', 'https://forms.example.com/api/v10'],
	['with a query', 'https://forms.example.com/api/v1?a=b'],
	['with an empty query', 'https://forms.example.com/api/v1?'],
	['with a fragment', 'https://forms.example.com/api/v1#x'],
	['with a user', 'https://user:secret@forms.example.com/api/v1'],
	['of 10 kB', `https://forms.example.com/${'x'.repeat(10_000)}`],
])('%s is refused with the rule, and not repeated', (_, value) => {
	expect(() => assertBaseUrl(value)).toThrow(new UserError(RULE));
});
