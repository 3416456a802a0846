import { received } from '../../../../nodes/FormResponses/trigger/received';
import { aResponse } from '../../../samples';

test('a response goes unchanged, with where it came from', () => {
	const envelope = aResponse();
	expect(received({ envelope, isRecovered: false }).json).toEqual({ envelope, isRecovered: false });
	expect(received({ envelope, isRecovered: true, isOldestShown: true }).json).toEqual({
		envelope,
		isRecovered: true,
		isOldestShown: true,
	});
});
