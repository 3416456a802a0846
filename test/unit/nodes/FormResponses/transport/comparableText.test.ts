import { folded } from '../../../../../nodes/FormResponses/transport/comparableText';

test.each<[unknown, string]>([
	[' Ada@Example.COM\n', 'ada@example.com'],
	['CAFE\u0301', 'caf\u00e9'],
	['Full\u00a0name  of', 'full name of'],
	[7, '7'],
	[null, ''],
	[undefined, ''],
])('%j is compared as %j', (value, expected) => {
	expect(folded(value)).toBe(expected);
});
