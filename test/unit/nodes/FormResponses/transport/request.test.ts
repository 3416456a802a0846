import { getMe } from '../../../../../nodes/FormResponses/transport/endpoints';
import type { Api } from '../../../../../nodes/FormResponses/transport/types';
import { eventually, startClock, type Clock } from '../../../kit/clock';
import { credentialValues } from '../../../kit/credentials';
import { anIdentity } from '../../../kit/samples';
import {
	fakeService,
	fault,
	ok,
	reply,
	type FakeService,
	type Reply,
} from '../../../kit/formService';
import { askWho, expired, limited, send } from './request.fixture';

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

describe('a token that cannot be had', () => {
	const refused = reply(400, { error: 'invalid_grant' });
	const clientRefused = reply(401, { error: 'invalid_client' });
	const asHtml = ok('<html>Log in</html>', { 'Content-Type': 'text/html' });
	const asText = ok('access_token=fresh-4711', { 'Content-Type': 'text/plain' });

	const RECONNECT = /: .*reconnected\. If that fails, check its Access Token URL/;
	const NO_CLIENT = /: Client authentication failed.*Client ID and Client Secret/;
	const NO_JSON = /: Expected JSON response(?!.*4711).*\. Reconnect it, or check/;
	const UNKNOWN = /, because the host name login\.example\.org was not found/;

	test.each<[string, Reply, grantType: string, asked: number, RegExp]>([
		['a refusal', refused, 'authorizationCode', 1, RECONNECT],
		['a page', asHtml, 'authorizationCode', 1, NO_JSON],
		['a refusal of the client', clientRefused, 'clientCredentials', 1, NO_CLIENT],
		['another form', asText, 'clientCredentials', 1, NO_JSON],
		['a fault', reply(503), 'authorizationCode', 4, /, because login\.example\.org failed \(503\)/],
		['no host', fault('ENOTFOUND'), 'authorizationCode', 4, UNKNOWN],
	])('because of %s, says so', async (_, given, grantType, asked, expected) => {
		service.always('GET', '/me', expired);
		const server = fakeService('https://login.example.org/oauth');
		server.on('POST', '/token', ...Array<Reply>(asked).fill(given));
		const oAuth2 = { grantType, accessTokenUrl: 'https://login.example.org/oauth/token' };
		const none = grantType === 'clientCredentials' && { oauthTokenData: '' };
		const sending = send(askWho, {}, credentialValues({}, { ...oAuth2, ...none }));
		const message = await sending.then(String, ({ message: told }: Error) => told);
		expect(message).toMatch(/the OAuth2 credential could not get an access token[:,]/);
		expect(message).toMatch(expected);
		expect(message).not.toContain('forms.example.com');
		expect(server.calls()).toHaveLength(asked);
	});
});

describe('a canceled run', () => {
	/** The signal of a run that is canceled while the service sends this reply. */
	function canceledAt(given: Reply): AbortSignal {
		const controller = new AbortController();
		service.always('GET', '/me', () => {
			controller.abort();
			return given;
		});
		return controller.signal;
	}

	test('stops waiting and sends nothing more', async () => {
		const signal = canceledAt(limited('60'));
		const ask = async (api: Api) =>
			await expect(getMe(api)).rejects.toThrow(/: the run was canceled\.$/);
		await send(async (api) => await Promise.all(Array(5).fill(api).map(ask)), {
			maxConcurrency: 5,
			signal,
		});
		expect(service.sent).toHaveLength(1);
	});

	test('does not begin to wait', async () => {
		const signal = canceledAt(reply(503));
		await expect(send(askWho, { signal })).rejects.toThrow(/canceled/);
		expect(clock.waits).toEqual([]);
	});

	test('stops waiting', async () => {
		clock = startClock({ standing: true });
		const controller = new AbortController();
		service.on('GET', '/me', reply(503));
		const sending = send(askWho, { signal: controller.signal });
		await eventually(() => expect(clock.waits).toHaveLength(1));
		controller.abort();
		await expect(sending).rejects.toThrow(/canceled/);
		expect(clock.elapsed()).toBe(0);
	});
});

test('a fault after which nobody may wait holds no other request back', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0.9);
	service.on('GET', '/me', reply(503), ok(anIdentity()));
	const askTwice = async (api: Api) => {
		await expect(getMe(api)).rejects.toThrow(/503/);
		await expect(getMe(api)).resolves.toEqual(anIdentity());
	};
	await send(askTwice, { withinMs: 400 });
});

test('no more requests are in flight than allowed', async () => {
	service.always('GET', '/me', ok(anIdentity()));
	let [inFlight, most] = [0, 0];
	await send(
		async (api, context) => {
			const original = context.helpers.httpRequestWithAuthentication;
			context.helpers.httpRequestWithAuthentication = async function (...parameters) {
				most = Math.max(most, ++inFlight);
				return await original.apply(this, parameters).finally(() => inFlight--);
			};
			await Promise.all(Array.from({ length: 12 }, async () => await getMe(api)));
		},
		{ maxConcurrency: 4 },
	);
	expect(most).toBe(4);
});
