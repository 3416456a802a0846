import { ACCESS_TOKEN, API_KEY } from '../../../../kit/credentials';
import { ok } from '../../../../kit/formService';
import { anIdentity } from '../../../../kit/samples';
import { actOn } from '../operation.fixture';

test.each([
	['oAuth2', ACCESS_TOKEN, anIdentity()],
	['apiKey', API_KEY, anIdentity({ user: null })],
])('gives whom the token stands for: %s', async (authentication, token, identity) => {
	const { items, sent } = await actOn('account:get', 'GET /me', [ok(identity)], { authentication });
	expect(items).toEqual([{ json: identity, pairedItem: { item: 0 } }]);
	expect(sent).toEqual([{ query: {}, authorization: `Bearer ${token}` }]);
});
