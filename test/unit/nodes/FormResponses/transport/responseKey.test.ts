import { responseKey } from '../../../../../nodes/FormResponses/transport/responseKey';
import { aResponse, RESPONSE_ID } from '../../../kit/samples';

const completedAt = '2026-01-01T00:00:00.000Z';

test.each([
	['as the API gives it', {}],
	['without milliseconds', { completedAt: '2026-01-01T00:00:00Z' }],
	['with microseconds', { completedAt: '2026-01-01T00:00:00.000000Z' }],
	['in another time zone', { completedAt: '2026-01-01T01:00:00+01:00' }],
	['with the ID in capitals', { responseId: RESPONSE_ID.toUpperCase() }],
])('a response and its completion make the key, spelled %s', (_, spelled) => {
	const key = responseKey(aResponse({ completedAt, ...spelled }));
	expect(key).toBe(`${RESPONSE_ID} ${completedAt}`);
});
