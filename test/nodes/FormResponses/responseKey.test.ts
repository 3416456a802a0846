import { responseKey } from '../../../nodes/FormResponses/responseKey';
import { aResponse, RESPONSE_ID } from '../../samples';

test('a response and its completion make the key, so that one completed again is new', () => {
	const completedAt = '2026-01-01T00:00:00.000Z';
	expect(responseKey(aResponse({ completedAt }))).toBe(`${RESPONSE_ID} ${completedAt}`);
	expect(responseKey(aResponse())).not.toBe(responseKey(aResponse({ completedAt })));
});

test.each([
	['without milliseconds', { completedAt: '2026-01-01T00:00:00Z' }],
	['with microseconds', { completedAt: '2026-01-01T00:00:00.000000Z' }],
	['in another time zone', { completedAt: '2026-01-01T01:00:00+01:00' }],
	['with the ID in capitals', { responseId: RESPONSE_ID.toUpperCase() }],
])('the same response spelled %s has the same key', (_, spelled) => {
	const completedAt = '2026-01-01T00:00:00.000Z';
	expect(responseKey(aResponse({ completedAt, ...spelled }))).toBe(
		responseKey(aResponse({ completedAt })),
	);
});
