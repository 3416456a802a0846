import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { getMe } from '../../../../nodes/FormResponses/transport/endpoints';
import type { ConnectOptions } from '../../../../nodes/FormResponses/transport/request';
import { connect } from '../../../../nodes/FormResponses/transport/request';
import type { Api } from '../../../../nodes/FormResponses/transport/types';
import { ACCESS_TOKEN, API_KEY, credentialValues } from '../../../in-process/credentials';
import type { ProbeOptions } from '../../../in-process/probe';
import { inRun } from '../../../in-process/probe';
import { anError, anIdentity } from '../../../samples';
import type { Reply } from '../../../service';
import { BASE_URL, fakeService, fault, ok, refused } from '../../../service';
import { eventually, startClock } from '../../../clock';

const askWho = async (api: Api) => await getMe(api);

async function send<Result>(
	work: (api: Api, context: IExecuteFunctions) => Promise<Result>,
	options: Partial<ConnectOptions> = {},
	probe: ProbeOptions = {},
): Promise<Result> {
	const { authentication = 'oAuth2' } = options;
	return await inRun(
		async (context) => await work(await connect(context, { authentication, ...options }), context),
		{ authentication, ...probe },
	);
}

const withBaseUrl = (baseUrl: string) => ({
	credentials: credentialValues({ baseUrl }, { baseUrl }),
});

const limited = (retryAfter?: string) =>
	refused(
		429,
		anError('rate_limited', 'Too many requests'),
		retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
	);

describe('the credential', () => {
	test.each([
		['apiKey' as const, API_KEY],
		['oAuth2' as const, ACCESS_TOKEN],
	])('%s is sent as a bearer token', async (authentication, token) => {
		const service = fakeService();
		service.on('GET', '/me', ok(anIdentity()));
		await send(askWho, { authentication });
		expect(service.sent.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`]);
	});

	test.each(['apiKey', 'oAuth2'] as const)(
		'its base URL may have blanks around it and slashes behind it (%s)',
		async (authentication) => {
			const service = fakeService();
			service.on('GET', '/me', ok(anIdentity()));
			await send(askWho, { authentication }, withBaseUrl(` ${BASE_URL}// `));
			expect(service.calls()).toEqual(['GET /me']);
		},
	);

	test.each(['', 'forms.example.com/api/v1', 'https://forms.example.com', `${BASE_URL}?a=b`])(
		'nothing is sent where its base URL is %j',
		async (baseUrl) => {
			const service = fakeService();
			for (const authentication of ['apiKey', 'oAuth2'] as const) {
				const sending = send(askWho, { authentication }, withBaseUrl(baseUrl));
				await expect(sending).rejects.toThrow(/^The Base URL of the credential must be an http/);
			}
			expect(service.sent).toEqual([]);
		},
	);

	test.each(['', 'two\r\nlines'])('nothing is sent where its API key is %j', async (apiKey) => {
		const service = fakeService();
		const credentials = credentialValues({ apiKey });
		const sending = send(askWho, { authentication: 'apiKey' }, { credentials });
		await expect(sending).rejects.toThrow(/^The API Key of the credential/);
		expect(service.sent).toEqual([]);
	});
});

describe('the token', () => {
	describe('that cannot be had', () => {
		const TOKEN_HOST = 'login.example.org';
		const clientCredentials = { grantType: 'clientCredentials', oauthTokenData: '' };
		const asHtml = ok('<html>Log in</html>', { 'Content-Type': 'text/html' });

		/** @returns the message, and how often a token was asked for */
		async function failWith(replies: Reply[], oAuth2: ICredentialDataDecryptedObject = {}) {
			startClock();
			const service = fakeService();
			service.always('GET', '/me', refused(401, anError('unauthorized', 'Expired')));
			const server = fakeService(`https://${TOKEN_HOST}/oauth`);
			server.on('POST', '/token', ...replies);
			const accessTokenUrl = `https://${TOKEN_HOST}/oauth/token`;
			const credentials = credentialValues({}, { accessTokenUrl, ...oAuth2 });
			const error = await send(askWho, {}, { credentials }).catch((one: Error) => one);
			return { message: (error as Error).message, asked: server.calls().length };
		}

		test.each<[string, Reply[], ICredentialDataDecryptedObject, RegExp]>([
			[
				'a renewal that is refused',
				[refused(400, { error: 'invalid_grant' })],
				{},
				/needs to be reconnected\. Reconnect it/,
			],
			[
				'an address that is no token address',
				[refused(404, { message: 'Not found' })],
				{},
				/HTTP status 404\. Reconnect it, or check its Access Token URL/,
			],
			[
				'a page instead of a token',
				[asHtml],
				{},
				/Expected JSON response.*Reconnect it, or check its Access Token URL/,
			],
			[
				'a client that is refused',
				[refused(401, { error: 'invalid_client' })],
				clientCredentials,
				/Client authentication failed.*check its Access Token URL, Client ID and Client Secret/,
			],
		])('because of %s', async (_, replies, oAuth2, expected) => {
			const { message, asked } = await failWith(replies, oAuth2);
			expect(message).toMatch(/the OAuth2 credential could not get an access token: /);
			expect(message).toMatch(expected);
			expect(asked).toBe(1);
		});

		test('without quoting the token that came in an unexpected form', async () => {
			const asText = ok('access_token=fresh-4711', { 'Content-Type': 'text/plain' });
			const { message } = await failWith([asText], clientCredentials);
			expect(message).toMatch(/Expected JSON response.*\. Reconnect it/);
			expect(message).not.toMatch(/4711/);
		});

		test.each<[string, Reply, ICredentialDataDecryptedObject, RegExp]>([
			['that fails', refused(503, 'busy'), {}, / login\.example\.org failed \(503\)/],
			['that fails for a client', refused(503, 'busy'), clientCredentials, /failed \(503\)/],
			['that is asked too often', refused(429, 'busy'), {}, / failed \(429\)\. Try again/],
			[
				'that is not there',
				fault('ENOTFOUND'),
				{},
				/host name login\.example\.org was not found\. Check the Access Token URL/,
			],
		])('because of a server %s, which is asked four times', async (_, reply, oAuth2, expected) => {
			const { message, asked } = await failWith([reply, reply, reply, reply], oAuth2);
			expect(message).toMatch(/the OAuth2 credential could not get an access token, because /);
			expect(message).toMatch(expected);
			expect(message).not.toContain('forms.example.com');
			expect(asked).toBe(4);
		});
	});

	test('is not sent twice where the service does not accept an API key', async () => {
		const service = fakeService();
		service.always('GET', '/me', refused(401, anError('unauthorized', 'No such key')));
		await expect(send(askWho, { authentication: 'apiKey' })).rejects.toThrow(/API key/);
		expect(service.calls()).toEqual(['GET /me']);
	});

	test.each([
		'https://elsewhere.example.org/api/v1/me',
		'http://forms.example.com/api/v1/me',
		'/x',
	])('stays where it belongs when the service redirects to %s', async (location) => {
		const service = fakeService();
		const elsewhere = fakeService('https://elsewhere.example.org/api/v1');
		elsewhere.always('GET', '/me', ok(anIdentity()));
		service.always('GET', '/me', refused(302, undefined, { Location: location }));
		for (const authentication of ['apiKey', 'oAuth2'] as const) {
			const sending = send(askWho, { authentication });
			await expect(sending).rejects.toThrow(/redirected.*must not follow.*Base URL/);
		}
		expect(elsewhere.sent).toEqual([]);
		expect(service.calls()).toEqual(['GET /me', 'GET /me']);
	});

	test('is not sent to the origin of an earlier subscription', async () => {
		const service = fakeService();
		service.on('GET', '/me', ok(anIdentity()));
		const elsewhere = fakeService('https://elsewhere.example.org/api/v1');
		await send(askWho, { baseUrl: 'https://elsewhere.example.org/api/v1' });
		expect(service.calls()).toEqual(['GET /me']);
		expect(elsewhere.sent).toEqual([]);
	});
});

describe('a canceled run', () => {
	test('stops waiting and sends nothing more', async () => {
		const service = fakeService();
		const controller = new AbortController();
		service.always('GET', '/me', () => {
			controller.abort();
			return limited('60');
		});
		const results = await send(
			async (api) =>
				await Promise.allSettled(Array.from({ length: 5 }, async () => await getMe(api))),
			{ maxConcurrency: 5, signal: controller.signal },
		);
		const messages = results.map((result) => ('reason' in result ? String(result.reason) : ''));
		for (const message of messages) expect(message).toMatch(/: the run was canceled\.$/);
		expect(service.sent).toHaveLength(1);
	});

	test('does not go on waiting', async () => {
		const clock = startClock({ standing: true });
		const service = fakeService();
		const controller = new AbortController();
		service.on('GET', '/me', refused(503));
		const sending = send(askWho, { signal: controller.signal });
		await eventually(() => expect(clock.waits).toHaveLength(1));
		controller.abort();
		await expect(sending).rejects.toThrow(/canceled/);
		expect(clock.elapsed()).toBe(0);
	});

	test('that ends otherwise keeps nothing of its waits', async () => {
		startClock();
		const service = fakeService();
		const { signal } = new AbortController();
		const [added, removed] = [
			jest.spyOn(signal, 'addEventListener'),
			jest.spyOn(signal, 'removeEventListener'),
		];
		service.on('GET', '/me', limited('1'), ok(anIdentity()));
		await send(
			async (api) => {
				added.mockClear();
				return await getMe(api);
			},
			{ signal },
		);
		const ofWaits = added.mock.calls.filter(([, listener]) =>
			removed.mock.calls.some(([event, other]) => event === 'abort' && other === listener),
		);
		expect(ofWaits).not.toEqual([]);
	});

	test('does not begin to wait', async () => {
		const clock = startClock();
		const service = fakeService();
		const controller = new AbortController();
		service.always('GET', '/me', () => {
			controller.abort();
			return refused(503);
		});
		const sending = send(askWho, { signal: controller.signal });
		await expect(sending).rejects.toThrow(/canceled/);
		expect(clock.waits).toEqual([]);
	});
});

test('a fault after which nobody may wait holds no other request back', async () => {
	startClock();
	jest.spyOn(Math, 'random').mockReturnValue(0.9);
	const service = fakeService();
	service.on('GET', '/me', refused(503), ok(anIdentity()));
	await send(
		async (api) => {
			await expect(getMe(api)).rejects.toThrow(/503/);
			await expect(getMe(api)).resolves.toEqual(anIdentity());
		},
		{ totalWaitMs: 0 },
	);
});

test('what the caller keeps secret is shown no more than the token', async () => {
	const service = fakeService();
	const said = `The URL with key-4711 is bad, ${ACCESS_TOKEN} too`;
	service.on('GET', '/me', refused(400, anError('invalid_request', said)));
	await expect(send(askWho, { secrets: ['key-4711'] })).rejects.toThrow(
		/: The URL with \*\*\* is bad, \*\*\* too/,
	);
});

test('no more requests are in flight than allowed', async () => {
	const service = fakeService();
	let inFlight = 0;
	let most = 0;
	service.always('GET', '/me', ok(anIdentity()));
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
	expect(service.sent).toHaveLength(12);
	expect(most).toBe(4);
});
