import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Playground } from './playground.mts';

type Values = Record<string, string>;

export const redirectUri = 'http://localhost:5678/rest/oauth2-credential/callback';
export const client = { client_id: 'playground', client_secret: 'playground-secret' };
export const basic = `Basic ${Buffer.from('playground:playground-secret').toString('base64')}`;
export const everything = 'forms:read responses:read hooks:write';

export function pkce() {
	const verifier = randomBytes(32).toString('base64url');
	const challenge = createHash('sha256').update(verifier).digest('base64url');
	return { verifier, parameters: { code_challenge: challenge, code_challenge_method: 'S256' } };
}

const hiddenInputs = (html: string): Values =>
	Object.fromEntries(
		[...html.matchAll(/type="hidden" name="(.*?)" value="(.*?)"/g)].map((found) => found.slice(1)),
	);

export function oauthClient(playground: Playground) {
	const post = (path: string, form: Values, headers: Values = {}) =>
		playground.call('POST', path, {
			body: new URLSearchParams(form).toString(),
			headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
		});

	const token = (form: Values, headers?: Values) => post('/oauth/token', form, headers);

	return {
		post,
		token,
		scopeOf: async (accessToken: string): Promise<string> =>
			(await playground.api('GET', '/me', { token: accessToken })).body.scope,
		/** Acts like a browser: opens the page, presses a button, follows the redirect. */
		async authorize(parameters: Values = {}, allowed = 'true'): Promise<URLSearchParams> {
			const query = new URLSearchParams({
				response_type: 'code',
				client_id: client.client_id,
				redirect_uri: redirectUri,
				state: 'some-state',
				...parameters,
			});
			const page = await playground.call('GET', `/oauth/authorize?${query}`);
			assert.equal(page.status, 200);
			assert.match(page.body, /Allow/);
			const pressed = await post('/oauth/authorize', { ...hiddenInputs(page.body), allowed });
			assert.equal(pressed.status, 303);
			return new URL(pressed.headers.get('location') ?? '').searchParams;
		},
		exchange: (code: string | null, more: Values = client) =>
			token({
				grant_type: 'authorization_code',
				code: code ?? '',
				redirect_uri: redirectUri,
				...more,
			}),
	};
}
