import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { basic, client, everything, oauthClient, pkce, redirectUri } from './oauth-client.mts';
import { startPlayground, type Playground } from './playground.mts';

describe('OAuth 2.0: authorization code', () => {
	let playground: Playground;
	const { authorize, exchange, post, scopeOf, token } = oauthClient(() => playground);
	before(async () => {
		playground = await startPlayground();
	});
	beforeEach(() => playground.reset());
	after(() => playground.close());

	test('authorization code: Allow leads back with code and state, and the code gives a token', async () => {
		const answer = await authorize();
		assert.equal(answer.get('state'), 'some-state');
		const { status, body } = await exchange(answer.get('code'));
		assert.equal(status, 200);
		assert.deepEqual([body.token_type, body.expires_in, body.scope], ['Bearer', 3600, everything]);
		assert.equal(typeof body.refresh_token, 'string');
		assert.equal(await scopeOf(body.access_token), everything);
	});

	test('authorization code: the client may authenticate with a header', async () => {
		const code = (await authorize()).get('code') ?? '';
		const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
		assert.equal((await token(form, { Authorization: basic })).status, 200);
	});

	test('authorization code: a code can be used once', async () => {
		const code = (await authorize()).get('code');
		assert.equal((await exchange(code)).status, 200);
		const again = await exchange(code);
		assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
	});

	test('authorization code: another redirect_uri is refused', async () => {
		const code = (await authorize()).get('code');
		const { status } = await exchange(code, { ...client, redirect_uri: 'http://localhost/other' });
		assert.equal(status, 400);
	});

	test('authorization code: Deny leads back with access_denied', async () => {
		const answer = await authorize({}, 'false');
		assert.deepEqual([answer.get('error'), answer.get('code')], ['access_denied', null]);
	});

	test('authorization code: a subset of the scopes can be granted', async () => {
		const code = (await authorize({ scope: 'forms:read hooks:write' })).get('code');
		const { body } = await exchange(code);
		assert.equal(body.scope, 'forms:read hooks:write');
		assert.equal(await scopeOf(body.access_token), 'forms:read hooks:write');
	});

	test('authorization code: an unknown scope leads back with invalid_scope', async () => {
		assert.equal((await authorize({ scope: 'forms:write' })).get('error'), 'invalid_scope');
	});

	test('PKCE: the right verifier gives a token', async () => {
		const { verifier, parameters } = pkce();
		const code = (await authorize(parameters)).get('code');
		const { status, body } = await exchange(code, { ...client, code_verifier: verifier });
		assert.equal(status, 200);
		assert.equal(await scopeOf(body.access_token), everything);
	});

	test('PKCE: a client without a secret gets a token and refreshes it', async () => {
		const { verifier, parameters } = pkce();
		const code = (await authorize(parameters)).get('code');
		const { client_id } = client;
		const { body } = await exchange(code, { client_id, code_verifier: verifier });
		const { refresh_token } = body;
		const refreshed = await token({ grant_type: 'refresh_token', refresh_token, client_id });
		assert.equal(refreshed.status, 200);
	});

	test('PKCE: a wrong verifier is refused, and the code is spent', async () => {
		const { verifier, parameters } = pkce();
		const code = (await authorize(parameters)).get('code');
		for (const code_verifier of [pkce().verifier, verifier]) {
			const { status, body } = await exchange(code, { ...client, code_verifier });
			assert.deepEqual([status, body.error], [400, 'invalid_grant']);
		}
	});

	test('PKCE: a missing verifier is refused', async () => {
		const code = (await authorize(pkce().parameters)).get('code');
		assert.equal((await exchange(code)).body.error, 'invalid_grant');
	});

	for (const [what, parameters] of [
		['an unknown client', { client_id: 'someone' }],
		['a redirect to another host', { redirect_uri: 'https://example.com/callback' }],
		['a redirect to another scheme', { redirect_uri: 'javascript:alert(1)' }],
	] as Array<[string, Record<string, string>]>) {
		test(`${what} gets an error page and no redirect`, async () => {
			const query = { response_type: 'code', client_id: 'playground', ...parameters };
			const shown = await playground.call('GET', `/oauth/authorize?${new URLSearchParams(query)}`);
			assert.equal(shown.status, 400);
			assert.match(shown.body, /client_id|redirect_uri/);
			const pressed = await post('/oauth/authorize', { ...query, allowed: 'true' });
			assert.equal(pressed.status, 400);
			assert.equal(pressed.headers.get('location'), null);
		});
	}

	test('the page escapes what it is given', async () => {
		const query = new URLSearchParams({ client_id: 'playground', scope: '"><script>x</script>' });
		const { body } = await playground.call('GET', `/oauth/authorize?${query}`);
		assert.doesNotMatch(body, /<script>/);
	});
});
