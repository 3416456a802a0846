import { getMe } from '../../../../../nodes/FormResponses/transport/endpoints';
import { createRenewingSend } from '../../../../../nodes/FormResponses/transport/tokenRenewal';
import { connect } from '../../../../../nodes/FormResponses/transport/connect';
import type { Api } from '../../../../../nodes/FormResponses/transport/types';
import { startClock } from '../../../kit/clock';
import { ACCESS_TOKEN, credentialValues, type CredentialValues } from '../../../kit/credentials';
import { inRun } from '../../../kit/inRun';
import { anError, anIdentity } from '../../../kit/samples';
import { fakeService, ok, reply, type FakeService, type Reply } from '../../../kit/formService';
import { nextTurn } from '../../../kit/turn';
import { askWho, expired, send } from './request.fixture';

const AT_ONCE = 8;

let credentials: CredentialValues;
let service: FakeService;
let server: FakeService;
/** The token that the service accepts. */
let valid: string;

const aToken = (token: string) => ok({ access_token: token, token_type: 'Bearer' });

function storeToken(token: string) {
	const { formResponsesOAuth2Api: stored } = credentials;
	credentials.formResponsesOAuth2Api = { ...stored, oauthTokenData: { access_token: token } };
}

/** Answers of the OAuth2 server in turn: a refusal, or a token, which is valid from then on. */
function serve(...replies: Array<Reply | string>) {
	server.always('POST', '/token', () => {
		const next = replies.shift() ?? reply(400, { error: 'invalid_grant' });
		if (typeof next !== 'string') return next;
		valid = next;
		return aToken(next);
	});
}

const inOneRun = async <Result>(work: (api: Api) => Promise<Result>) =>
	await inRun(
		async (context) =>
			await work(await connect(context, { authentication: 'oAuth2', maxConcurrency: AT_ONCE })),
		{ credentials },
	);

const askAtOnce = async (api: Api) =>
	await Promise.allSettled(Array.from({ length: AT_ONCE }, async () => await getMe(api)));

const messagesOf = (results: Array<PromiseSettledResult<unknown>>) =>
	results.map((result) => (result.status === 'rejected' ? (result.reason as Error).message : ''));

const tokensSent = () => service.sent.map(({ authorization }) => authorization?.slice(7));

beforeEach(() => {
	startClock();
	credentials = credentialValues();
	valid = ACCESS_TOKEN;
	service = fakeService();
	server = fakeService('https://forms.example.com/oauth');
});

describe('a token that expires', () => {
	/** Whether the service refuses the first request with a renewed token. */
	let isRefusedAgain: boolean;

	beforeEach(() => {
		isRefusedAgain = false;
		service.always('GET', '/me', ({ authorization }) => {
			if (authorization !== `Bearer ${valid}`) return expired;
			if (!isRefusedAgain || valid === ACCESS_TOKEN) return ok(anIdentity());
			isRefusedAgain = false;
			return expired;
		});
	});

	/** The errors of requests sent at once, after enough others that all may be in flight, with an expired token. */
	const askWithExpiredToken = async () =>
		await inOneRun(async (api) => {
			for (let asked = 0; asked < 4 * AT_ONCE; asked++) await getMe(api);
			valid = 'none';
			service.sent.length = 0;
			return messagesOf(await askAtOnce(api)).filter((message) => message !== '');
		});

	test('is renewed once for all requests that it is refused to', async () => {
		serve('renewed');
		expect(await askWithExpiredToken()).toEqual([]);
		expect(server.calls()).toEqual(['POST /token']);
		const { oauthTokenData } = credentials.formResponsesOAuth2Api;
		expect(oauthTokenData).toMatchObject({ access_token: 'renewed' });
		const sent = [ACCESS_TOKEN, 'renewed'].flatMap((token) => Array<string>(AT_ONCE).fill(token));
		expect(tokensSent()).toEqual(sent);
	});

	test('is read again, once, where somebody else renewed it', async () => {
		await inOneRun(async (api) => {
			await getMe(api);
			valid = 'renewed';
			storeToken(valid);
			for (let request = 0; request < 3; request++) await getMe(api);
		});
		expect(tokensSent()).toEqual([ACCESS_TOKEN, ACCESS_TOKEN, 'renewed', 'renewed', 'renewed']);
		expect(server.calls()).toEqual([]);
	});

	test('is asked for again when the server failed for a moment', async () => {
		serve(reply(503), 'renewed');
		expect(await askWithExpiredToken()).toEqual([]);
		expect(server.calls()).toHaveLength(2);
	});

	test('and is refused to one request even then fails that one alone', async () => {
		serve('renewed');
		isRefusedAgain = true;
		expect(await askWithExpiredToken()).toHaveLength(1);
		expect(server.calls()).toEqual(['POST /token']);
	});

	test('and for which there is no refresh token says what to do', async () => {
		storeToken('expired');
		const [message] = messagesOf(await inOneRun(async (api) => await askAtOnce(api)));
		expect(message).toMatch(/could not get an access token: .*\. Reconnect/);
	});

	test('and cannot be renewed fails all with the same way out', async () => {
		serve();
		const messages = await askWithExpiredToken();
		expect(messages).toEqual(Array(AT_ONCE).fill(expect.stringMatching(/econnect/)));
		expect(server.calls()).toEqual(['POST /token']);
	});
});

test('an API key that is refused is not sent again', async () => {
	service.always('GET', '/me', expired);
	await expect(send(askWho, { authentication: 'apiKey' })).rejects.toThrow(/API key/);
	expect(service.calls()).toEqual(['GET /me']);
});

describe('requests that are refused with the same token', () => {
	/** Requests that the test answers itself, in the order in which they were sent. */
	function setUp() {
		const answers: Array<(status: number) => Promise<void>> = [];
		const refreshOAuth2Token = jest.fn(nextTurn);
		const httpRequestWithAuthentication = async () =>
			await new Promise((resolve) =>
				answers.push(async (statusCode) => {
					resolve({ statusCode, headers: {}, body: {} });
					await nextTurn();
					await nextTurn();
				}),
			);
		const helpers = { refreshOAuth2Token, httpRequestWithAuthentication };
		const credential = {
			reader: {},
			hasToken: () => true,
			renew: async (refresh: (reader: object) => unknown) => await refresh({}),
		};
		const renewingSend = createRenewingSend({ helpers } as never, {
			type: 'formResponsesOAuth2Api',
			credential: credential as never,
			isRenewable: true,
			baseUrl: 'https://forms.example.com/api/v1',
			limitMs: () => 1_000,
			onAnswer: () => {},
		});
		const ask = async () =>
			await renewingSend({ method: 'GET', path: '/me', answer: () => undefined } as never);
		return { ask, answers, refreshOAuth2Token };
	}

	test('ask n8n for another one once, even if some are refused after it has come', async () => {
		const { ask, answers, refreshOAuth2Token } = setUp();
		const outcomes = Promise.all([ask(), ask(), ask()]);
		await Promise.all([answers[0](401), answers[1](401)]);
		// The first two were sent again by now; the third was sent with the earlier token.
		expect(answers).toHaveLength(5);
		await answers[2](401);
		expect(answers).toHaveLength(6);
		for (const answer of answers.slice(3)) await answer(200);
		expect((await outcomes).map((outcome) => outcome.kind)).toEqual(['done', 'done', 'done']);
		expect(refreshOAuth2Token).toHaveBeenCalledTimes(1);
	});

	test('ask again once the new token is refused too', async () => {
		const { ask, answers, refreshOAuth2Token } = setUp();
		for (const first of [0, 2]) {
			const outcome = ask();
			await answers[first](401);
			await answers[first + 1](200);
			expect(await outcome).toMatchObject({ kind: 'done' });
		}
		expect(refreshOAuth2Token).toHaveBeenCalledTimes(2);
	});
});

describe('an error shows no token of its run', () => {
	const quoting = (token = '') => reply(403, anError('forbidden', `No rights for <${token}>`));

	test('whether from before or after a renewal by somebody else', async () => {
		const asking = inOneRun(async (api) => {
			storeToken('renewed_token');
			service.on('GET', '/me', quoting(`${ACCESS_TOKEN}, renewed_token`));
			return await getMe(api);
		});
		await expect(asking).rejects.toThrow(/<\*\*\*, \*\*\*>/);
	});

	test('that n8n renewed, and then somebody else', async () => {
		server.always('POST', '/token', aToken('renewed_by_n8n'));
		service.always('GET', '/me', ({ authorization }) => {
			if (authorization !== 'Bearer renewed_by_n8n') return expired;
			storeToken('of_another_run');
			return quoting(authorization.slice(7));
		});
		await expect(inOneRun(getMe)).rejects.toThrow(/<\*\*\*>/);
	});

	test('that n8n fetched, another run replaced in the store, and the service then refused', async () => {
		credentials = credentialValues({}, { grantType: 'clientCredentials', oauthTokenData: '' });
		server.on('POST', '/token', aToken('fetched_by_n8n'));
		const asking = inOneRun(async (api) => {
			service.on('GET', '/me', ok(anIdentity()));
			await getMe(api);
			storeToken('of_another_run');
			service.on('GET', '/me', expired, quoting('fetched_by_n8n, of_another_run'));
			return await getMe(api);
		});
		await expect(asking).rejects.toThrow(/<\*\*\*, \*\*\*>/);
	});
});

test('a credential that was never connected says so', async () => {
	delete credentials.formResponsesOAuth2Api.oauthTokenData;
	await expect(inOneRun(getMe)).rejects.toThrow(
		/: the OAuth2 credential was never connected\. Open it, and connect it to your account\.$/,
	);
});
