import { responseKey } from '../../../nodes/FormResponses/responseKey';
import { aResponse, RESPONSE_ID } from '../../samples';

test('a response and its completion make the key, so that one completed again is new', () => {
	const completedAt = '2026-01-01T00:00:00.000Z';
	expect(responseKey(aResponse({ completedAt }))).toBe(`${RESPONSE_ID} ${completedAt}`);
	expect(responseKey(aResponse())).not.toBe(responseKey(aResponse({ completedAt })));
});
