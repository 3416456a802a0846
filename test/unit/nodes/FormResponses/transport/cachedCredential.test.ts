import type { IAllExecuteFunctions } from 'n8n-workflow';
import { cacheCredential } from '../../../../../nodes/FormResponses/transport/cachedCredential';
import { startClock } from '../../../kit/clock';

const TYPE = 'formResponsesOAuth2Api';

const withToken = (token: string) => ({ oauthTokenData: { access_token: token } });

/** n8n's store of credentials: gives these one after the other, and throws an error. */
function contextWith(...stored: Array<object | Error>) {
	const getCredentials = jest.fn(async () => {
		const next = stored.shift();
		if (next instanceof Error) throw next;
		return next;
	});
	return { context: { getCredentials } as never, getCredentials };
}

const tokenIn = async (reader: IAllExecuteFunctions) =>
	(await reader.getCredentials(TYPE)).oauthTokenData;

test('a credential is read once for all requests', async () => {
	const { context, getCredentials } = contextWith(withToken('a'));
	const { reader } = await cacheCredential(context, TYPE);
	const read = [await tokenIn(reader), await tokenIn(reader)];
	expect(read).toEqual([{ access_token: 'a' }, { access_token: 'a' }]);
	expect(getCredentials).toHaveBeenCalledTimes(1);
});

test.each([
	['a refused token is renewed, and read again', 'a', 1],
	['a refused token is not renewed where another one is stored by now', 'b', 0],
])('%s', async (_, stored, renewals) => {
	const { context } = contextWith(withToken('a'), withToken(stored), withToken('b'));
	const { reader, renew } = await cacheCredential(context, TYPE);
	const refresh = jest.fn(async () => {});
	await renew(refresh);
	expect(refresh).toHaveBeenCalledTimes(renewals);
	expect(await tokenIn(reader)).toEqual({ access_token: 'b' });
});

test('a credential that could not be read once is read again', async () => {
	const gone = new Error('The database is away');
	const { context } = contextWith(withToken('a'), withToken('b'), gone, withToken('b'));
	const { reader, renew } = await cacheCredential(context, TYPE);
	await renew(async () => {});
	await expect(tokenIn(reader)).rejects.toThrow('The database is away');
	expect(await tokenIn(reader)).toEqual({ access_token: 'b' });
});

test('all secrets that a credential had are told, also where it cannot be read any more', async () => {
	const first = {
		apiKey: ' key ',
		clientSecret: 'client',
		...withToken('a'),
		baseUrl: 'no secret',
	};
	const { context } = contextWith(first, { oauthTokenData: { refresh_token: 'r', id_token: 'i' } });
	const { renew, secrets } = await cacheCredential(context, TYPE);
	await renew(async () => {});
	expect(new Set(await secrets())).toEqual(new Set(['key', 'client', 'a', 'r', 'i']));
});

test('a credential is read again for what fails, once a second, as another run may have renewed its token', async () => {
	const clock = startClock({ standing: true });
	const { context, getCredentials } = contextWith(...['a', 'b', 'c'].map(withToken));
	const { secrets } = await cacheCredential(context, TYPE);
	const tell = async () =>
		await Promise.all(Array.from({ length: 1_000 }, async () => (await secrets()).join()));
	expect(new Set(await tell())).toEqual(new Set(['a,b']));
	await clock.pass(1_001);
	expect(new Set(await tell())).toEqual(new Set(['a,b,c']));
	expect(getCredentials).toHaveBeenCalledTimes(3);
});

test('a token is told that n8n wrote into the credential after something had failed', async () => {
	startClock({ standing: true });
	const { context } = contextWith({}, {});
	const { reader, secrets } = await cacheCredential(context, TYPE);
	expect(await secrets()).toEqual([]);
	Object.assign(await reader.getCredentials(TYPE), withToken('a'));
	expect(await secrets()).toEqual(['a']);
});
