import { sleep } from 'n8n-workflow';
import { connect, connectItems } from '../../../../nodes/FormResponses/transport/connect';
import type { Api, Authentication } from '../../../../nodes/FormResponses/transport/types';
import { credentialValues } from '../../../in-process/credentials';
import { inRun } from '../../../in-process/probe';

const items = ['a', 'b', 'a'].map((key) => ({ key }));

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

test('with OAuth2 the first item says which service it is, whichever is read first', async () => {
	const baseUrls = ['https://a.example.com/api/v1', 'https://b.example.com/api/v1'];
	const credentials = credentialValues({}, { baseUrl: '={{ $json.key }}' });
	await inRun(
		async (context) => {
			const read = context.getCredentials.bind(context);
			context.getCredentials = async (type, itemIndex) => {
				if (itemIndex === 0) await sleep(20);
				return await read(type, itemIndex);
			};
			const connectTo = connectItems(context, { authentication: 'oAuth2' });
			const [first, second] = await Promise.allSettled([connectTo(0), connectTo(1)]);
			expect(first).toMatchObject({ value: { baseUrl: baseUrls[0] } });
			expect(second).toMatchObject({
				reason: { message: expect.stringMatching(/^An OAuth2 token/) },
			});
		},
		{ credentials, items: baseUrls.map((key) => ({ key })) },
	);
});

test('an expression of an item is explained where there is none, and only there', async () => {
	// As seen in n8n 2.41.1.
	const n8nSays = "Node '' hasn't been executed";
	const unresolved = Object.assign(new Error(n8nSays), { name: 'ExpressionError' });
	await inRun(async (context) => {
		context.getCredentials = async () => await Promise.reject(unresolved);
		const options = { authentication: 'apiKey' } as const;
		await expect(connect(context, options)).rejects.toThrow(/has an expression of an item/);
		await expect(connectItems(context, options)(0)).rejects.toThrow(n8nSays);
	});
});
