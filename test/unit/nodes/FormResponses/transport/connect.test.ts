import { connect, connectItems } from '../../../../../nodes/FormResponses/transport/connect';
import type { Api, Authentication } from '../../../../../nodes/FormResponses/transport/types';
import { ACCESS_TOKEN, credentialValues } from '../../../kit/credentials';
import { fakeService, ok, reply } from '../../../kit/formService';
import { inRun } from '../../../kit/inRun';
import { anError, anIdentity } from '../../../kit/samples';
import { askWho, send } from './request.fixture';

const items = ['a', 'b', ' a '].map((key) => ({ key }));

const whileConnected = async (
	authentication: Authentication,
	credentials: ReturnType<typeof credentialValues>,
	work: (connectTo: (itemIndex: number) => Promise<Api>) => Promise<void>,
) =>
	await inRun(async (context) => await work(connectItems(context, { authentication })), {
		...{ authentication, credentials, items },
	});

test('items with one credential share a connection, and so its pace', async () => {
	const credentials = credentialValues({ apiKey: '={{ $json.key }}' });
	await whileConnected('apiKey', credentials, async (connectTo) => {
		const [first, second, third] = await Promise.all([0, 1, 2].map(connectTo));
		expect([third === first, second === first]).toEqual([true, false]);
	});
});

test('items after a renewal of the token go on with the same connection', async () => {
	const credentials = credentialValues();
	await whileConnected('oAuth2', credentials, async (connectTo) => {
		const first = await connectTo(0);
		credentials.formResponsesOAuth2Api.oauthTokenData = { access_token: 'renewed' };
		expect(await connectTo(1)).toBe(first);
	});
});

test('with OAuth2 the credential is read once, with no item', async () => {
	await inRun(
		async (context) => {
			const read = jest.spyOn(context, 'getCredentials');
			const connectTo = connectItems(context, { authentication: 'oAuth2' });
			const [first, second] = await Promise.all([connectTo(0), connectTo(1)]);
			expect(first).toBe(second);
			expect(read.mock.calls).toEqual([['formResponsesOAuth2Api', items.length]]);
		},
		{ credentials: credentialValues(), items },
	);
});

test('an expression of an item is explained where there is none, and only there', async () => {
	// As seen in n8n 2.41.1.
	const n8nSays = "Node '' hasn't been executed";
	const unresolved = Object.assign(new Error(n8nSays), { name: 'ExpressionError' });
	await inRun(async (context) => {
		context.getCredentials = async () => await Promise.reject(unresolved);
		const byKey = { authentication: 'apiKey' } as const;
		const byToken = { authentication: 'oAuth2' } as const;
		const explained = /An expression of an item works/;
		await expect(connect(context, byKey)).rejects.toThrow(explained);
		await expect(connectItems(context, byToken)(0)).rejects.toThrow(explained);
		await expect(connectItems(context, byKey)(0)).rejects.toThrow(n8nSays);
	});
});

test('another failure to read the credential is told as n8n tells it', async () => {
	await inRun(async (context) => {
		const failure = new Error('Credential with ID "1" does not exist');
		context.getCredentials = async () => await Promise.reject(failure);
		await expect(connect(context, { authentication: 'oAuth2' })).rejects.toBe(failure);
	});
});

test.each<[string, Record<string, string>, number | undefined]>([
	['by its date', { Date: 'Sun, 01 Mar 2026 12:00:00 GMT' }, Date.UTC(2026, 2, 1, 12)],
	['not by what is no date', { Date: 'today' }, undefined],
	['not without a date', {}, undefined],
])("an answer tells the service's time: %s", async (_, headers, expected) => {
	fakeService().on('GET', '/me', ok(anIdentity(), headers));
	const [before, after] = await send(async (api) => {
		const atFirst = api.answeredAt();
		await askWho(api);
		return [atFirst, api.answeredAt()];
	});
	expect([before, after]).toEqual([undefined, expected]);
});

test.each([
	['apiKey', { baseUrl: 'https://forms.example.com' }, /^The Base URL of the credential must be/],
	['oAuth2', { baseUrl: 'https://forms.example.com' }, /^The Base URL of the credential must be/],
	['apiKey', { apiKey: '' }, /^The API Key of the credential/],
] as const)('nothing is sent with %s where the credential has %j', async (...[by, wrong, told]) => {
	const service = fakeService();
	const sending = send(askWho, { authentication: by }, credentialValues(wrong, wrong));
	await expect(sending).rejects.toThrow(told);
	expect(service.sent).toEqual([]);
});

test('no error shows the token, nor what the caller keeps secret', async () => {
	const said = `The URL with key-4711 is bad, ${ACCESS_TOKEN} too`;
	fakeService().on('GET', '/me', reply(400, anError('invalid_request', said)));
	await expect(send(askWho, { secrets: ['key-4711'] })).rejects.toThrow(
		/: The URL with \*\*\* is bad, \*\*\* too/,
	);
});
