import { assertApiKey } from '../../../../nodes/FormResponses/transport/apiKey';

test.each([
	['live_abc', 'live_abc'],
	[' live_abc\n', 'live_abc'],
	['live_!"#$%&/()=?~', 'live_!"#$%&/()=?~'],
])('%j is taken as %j', (value, expected) => {
	expect(assertApiKey(value)).toBe(expected);
});

test.each([
	['', 'is empty'],
	['  ', 'is empty'],
	[undefined, 'is empty'],
	[7, 'is empty'],
	['live secret', 'has a blank'],
	['live\r\nsecret', 'has a blank'],
	['live\tsecret', 'has a blank'],
	['livé_secret', 'has a blank'],
	['live_secret\u200b', 'has a blank'],
])('%j is refused, and not repeated', (value, reason) => {
	expect(() => assertApiKey(value)).toThrow(`The API Key of the credential ${reason}`);
	expect(() => assertApiKey(value)).not.toThrow(/secret/);
});
