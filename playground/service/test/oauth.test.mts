import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basic, client, everything, oauthClient, pkce, redirectUri } from './oauth-client.mts';
import { sharedPlayground } from './playground.mts';

const { playground } = await sharedPlayground();

const { client_id } = client;

const { authorize, exchange, post, scopeOf, token } = oauthClient(playground);

test('Allow leads back with code and state; the code gives a token, once', async () => {
	const answer = await authorize();
	assert.equal(answer.get('state'), 'some-state');
	const { status, body } = await exchange(answer.get('code'));
	assert.equal(status, 200);
	assert.deepEqual([body.token_type, body.expires_in, body.scope], ['Bearer', 3600, everything]);
	assert.equal(await scopeOf(body.access_token), everything);
	const again = await exchange(answer.get('code'));
	assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
});

test('Deny and an unknown scope lead back with an error', async () => {
	assert.equal((await authorize({}, 'false')).get('error'), 'access_denied');
	assert.equal((await authorize({ scope: 'forms:write' })).get('error'), 'invalid_scope');
});

test('whether it is allowed is up to the buttons, not to the address', async () => {
	const query = new URLSearchParams({ client_id, allowed: 'true' });
	const { body } = await playground.call('GET', `/oauth/authorize?${query}`);
	assert.doesNotMatch(body, /type="hidden" name="allowed"/);
});

test('a code is for its redirect_uri only', async () => {
	const code = (await authorize()).get('code');
	const { status } = await exchange(code, { ...client, redirect_uri: 'http://localhost/other' });
	assert.equal(status, 400);
});

test('the client may authenticate with a header, and be granted some of the scopes', async () => {
	const scope = 'forms:read hooks:write';
	const code = (await authorize({ scope })).get('code') ?? '';
	const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
	const { body } = await token(form, { Authorization: basic });
	assert.deepEqual([body.scope, await scopeOf(body.access_token)], [scope, scope]);
});

test('PKCE: the verifier stands in for the secret, also when the token is renewed', async () => {
	const { verifier, parameters } = pkce();
	const code = (await authorize(parameters)).get('code');
	const { body } = await exchange(code, { client_id, code_verifier: verifier });
	const { refresh_token } = body;
	const renewed = await token({ grant_type: 'refresh_token', refresh_token, client_id });
	assert.equal(renewed.status, 200);
});

test('PKCE: without the right verifier the code is spent', async () => {
	const { verifier, parameters } = pkce();
	const code = (await authorize(parameters)).get('code');
	for (const code_verifier of [pkce().verifier, verifier]) {
		assert.equal((await exchange(code, { ...client, code_verifier })).body.error, 'invalid_grant');
	}
	const other = (await authorize(parameters)).get('code');
	assert.equal((await exchange(other)).body.error, 'invalid_grant');
});

for (const parameters of [
	{ client_id: 'someone' },
	{ redirect_uri: 'https://example.com/callback' },
	{ redirect_uri: 'javascript:alert(1)' },
]) {
	test(`${JSON.stringify(parameters)} gets an error page and no redirect`, async () => {
		const query = { response_type: 'code', client_id, ...parameters } as Record<string, string>;
		const path = `/oauth/authorize?${new URLSearchParams(query)}`;
		const shown = await playground.call('GET', path);
		const pressed = await post('/oauth/authorize', { ...query, allowed: 'true' });
		assert.deepEqual([shown.status, pressed.status], [400, 400]);
		assert.match(shown.body, /client_id|redirect_uri/);
		assert.equal(pressed.headers.get('location'), null);
	});
}

test('the page escapes what it is given', async () => {
	const query = new URLSearchParams({ client_id, scope: '"><script>x</script>' });
	const { body } = await playground.call('GET', `/oauth/authorize?${query}`);
	assert.doesNotMatch(body, /<script>/);
});

for (const [form, scope, answered] of [
	[client, 'responses:read', 'responses:read'],
	[client, undefined, everything],
	[{}, 'forms:read', 'forms:read'],
	[{ ...client, client_secret: 'wrong' }, undefined, 'invalid_client'],
	[{ client_id }, undefined, 'invalid_client'],
	[{ ...client, grant_type: 'password' }, undefined, 'unauthorized_client'],
] as const) {
	test(`client credentials ${JSON.stringify({ ...form, scope })}: ${answered}`, async () => {
		const isInHeader = Object.keys(form).length === 0;
		const headers: Record<string, string> = isInHeader ? { Authorization: basic } : {};
		const grant = { grant_type: 'client_credentials', ...(scope && { scope }), ...form };
		const { body } = await token(grant, headers);
		assert.equal(body.error ?? body.scope, answered);
		if (!body.error) assert.equal(await scopeOf(body.access_token), answered);
	});
}

test('a refresh token gives a new access token with its scopes, once, also after expiry', async () => {
	const made = await playground.control('POST', '/tokens', { scope: 'forms:read' });
	await playground.control('POST', '/tokens/expire');
	const expired = await playground.api('GET', '/me', { token: made.accessToken });
	assert.equal(expired.status, 401);
	assert.match(expired.body.message, /expired/);
	const form = { grant_type: 'refresh_token', refresh_token: made.refreshToken, ...client };
	const { body } = await token(form);
	assert.equal(await scopeOf(body.access_token), 'forms:read');
	assert.equal((await token(form)).body.error, 'invalid_grant');
});
