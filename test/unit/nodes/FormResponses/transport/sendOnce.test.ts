import { FormResponsesOAuth2Api } from '../../../../../credentials/FormResponsesOAuth2Api.credentials';
import { ACCESS_TOKEN, API_KEY, credentialValues } from '../../../kit/credentials';
import { anIdentity } from '../../../kit/samples';
import {
	BASE_URL,
	fakeService,
	ok,
	ORIGIN,
	reply,
	type FakeService,
} from '../../../kit/formService';
import { askWho, send } from './request.fixture';

let service: FakeService;

beforeEach(() => (service = fakeService()));

const [byKey, byOAuth2] = [API_KEY, ACCESS_TOKEN].map((token): unknown =>
	expect.objectContaining({ query: {}, authorization: `Bearer ${token}` }),
);

test.each([
	['apiKey' as const, byKey],
	['oAuth2' as const, byOAuth2],
])('%s is sent as a bearer token, to its base URL tidied up', async (authentication, sent) => {
	service.on('GET', '/me', ok(anIdentity()));
	const url = { baseUrl: ` ${BASE_URL}// ` };
	await send(askWho, { authentication }, credentialValues(url, url));
	expect(service.sent).toEqual([sent]);
});

// n8n 1 does not let the credential prepare a request.
test.each([
	['mac', true],
	['', true],
	['mac', false],
])('a token of type "%s" goes into no URL, prepared: %p', async (token_type, isPrepared) => {
	const prepare = jest.spyOn(FormResponsesOAuth2Api.prototype, 'preAuthentication');
	if (!isPrepared) prepare.mockResolvedValue({});
	const token = { access_token: ACCESS_TOKEN, token_type };
	fakeService(`${ORIGIN}/oauth`).always('POST', '/token', ok(token));
	service.always('GET', '/me', ok(anIdentity()));
	const fetched = { grantType: 'clientCredentials', oauthTokenData: '' };
	for (const grant of [{ oauthTokenData: token }, fetched]) {
		await send(askWho, {}, credentialValues({}, grant));
	}
	expect(service.sent).toEqual([byOAuth2, byOAuth2]);
});

const ELSEWHERE = 'https://elsewhere.example.org/api/v1';

test.each([`${ELSEWHERE}/me`, '/x'])('no token follows a redirect to %s', async (location) => {
	const elsewhere = fakeService(ELSEWHERE);
	elsewhere.always('GET', '/me', ok(anIdentity()));
	service.always('GET', '/me', reply(302, undefined, { Location: location }));
	for (const authentication of ['apiKey', 'oAuth2'] as const) {
		const sending = send(askWho, { authentication });
		await expect(sending).rejects.toThrow(/redirected.*must not follow.*Base URL/);
	}
	expect(elsewhere.sent).toEqual([]);
	expect(service.calls()).toEqual(['GET /me', 'GET /me']);
});
