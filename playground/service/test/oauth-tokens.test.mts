import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { basic, client, everything, oauthClient } from './oauth-client.mts';
import { startPlayground, type Playground } from './playground.mts';

describe('OAuth 2.0: client credentials, refresh, expiry', () => {
	let playground: Playground;
	const { authorize, exchange, scopeOf, token } = oauthClient(() => playground);
	before(async () => {
		playground = await startPlayground();
	});
	beforeEach(() => playground.reset());
	after(() => playground.close());

	for (const [where, form, headers] of [
		['body', client, {}],
		['header', {}, { Authorization: basic }],
	] as const) {
		test(`client credentials in the ${where} give a token for the asked scopes`, async () => {
			const grant = { grant_type: 'client_credentials', scope: 'responses:read' };
			const { status, body } = await token({ ...grant, ...form }, headers);
			assert.deepEqual([status, body.scope], [200, 'responses:read']);
			assert.equal(await scopeOf(body.access_token), 'responses:read');
		});
	}

	test('client credentials without scope are granted every scope', async () => {
		const { body } = await token({ grant_type: 'client_credentials', ...client });
		assert.equal(body.scope, everything);
	});

	test('a wrong client secret is refused', async () => {
		const wrong = { ...client, client_secret: 'wrong' };
		const { status, body } = await token({ grant_type: 'client_credentials', ...wrong });
		assert.ok([400, 401].includes(status));
		assert.equal(body.error, 'invalid_client');
	});

	test('client credentials without a secret are refused', async () => {
		const { client_id } = client;
		const { body } = await token({ grant_type: 'client_credentials', client_id });
		assert.equal(body.error, 'invalid_client');
	});

	test('an unknown grant type is refused', async () => {
		const { body } = await token({
			grant_type: 'password',
			...client,
			username: 'a',
			password: 'b',
		});
		assert.match(body.error, /unsupported_grant_type|unauthorized_client/);
	});

	test('refresh: gives a new access token, the old refresh token is spent', async () => {
		const first = (await exchange((await authorize()).get('code'))).body;
		const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token, ...client };
		const { status, body } = await token(form);
		assert.equal(status, 200);
		assert.notEqual(body.access_token, first.access_token);
		assert.equal(await scopeOf(body.access_token), everything);
		assert.equal((await token(form)).body.error, 'invalid_grant');
	});

	test('refresh: works after all access tokens have expired', async () => {
		const { accessToken, refreshToken } = await playground.control('POST', '/tokens', {});
		await playground.control('POST', '/tokens/expire');
		const expired = await playground.api('GET', '/me', { token: accessToken });
		assert.deepEqual([expired.status, expired.body.code], [401, 'unauthorized']);
		const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...client };
		const { body } = await token(form);
		assert.equal((await playground.api('GET', '/me', { token: body.access_token })).status, 200);
	});

	test('refresh: keeps the granted scopes', async () => {
		const made = await playground.control('POST', '/tokens', { scope: 'forms:read' });
		const form = { grant_type: 'refresh_token', refresh_token: made.refreshToken, ...client };
		assert.equal((await token(form)).body.scope, 'forms:read');
	});

	test('an access token expires after the lifetime that is set', async () => {
		await playground.settings({ accessTokenLifetimeSeconds: 1 });
		const { body } = await token({ grant_type: 'client_credentials', ...client });
		assert.equal(body.expires_in, 1);
		assert.equal((await playground.api('GET', '/me', { token: body.access_token })).status, 200);
		await new Promise((resolve) => setTimeout(resolve, 1100));
		assert.equal((await playground.api('GET', '/me', { token: body.access_token })).status, 401);
	});

	test('refresh tokens can be switched off', async () => {
		await playground.settings({ refreshTokens: false });
		const { body } = await exchange((await authorize()).get('code'));
		assert.equal(typeof body.access_token, 'string');
		assert.equal(body.refresh_token, undefined);
	});

	test('requests to the token endpoint are in the log when asked for', async () => {
		await token({ grant_type: 'client_credentials', ...client });
		assert.deepEqual(await playground.requests(), []);
		const { requests } = await playground.control('GET', '/requests?include=oauth');
		assert.deepEqual(
			requests.map(({ method, path, status }: any) => [method, path, status]),
			[['POST', '/oauth/token', 200]],
		);
	});
});
