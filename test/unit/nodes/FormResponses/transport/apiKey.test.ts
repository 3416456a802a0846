import { assertApiKey } from '../../../../../nodes/FormResponses/transport/apiKey';

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
	['live secret', 'has a space'],
	['live\r\nsecret', 'has a space'],
	['live\tsecret', 'has a space'],
	['livé_secret', 'has a space'],
	['live_secret\u200b', 'has a space'],
])('%j is refused, and not repeated', (value, reason) => {
	expect(() => assertApiKey(value)).toThrow(`The API Key of the credential ${reason}`);
	expect(() => assertApiKey(value)).not.toThrow(/secret/);
});
