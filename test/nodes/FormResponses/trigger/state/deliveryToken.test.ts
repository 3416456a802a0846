import { createHmac, randomBytes } from 'crypto';
import fc from 'fast-check';
import type {
	DeliveryToken,
	Signer,
} from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import {
	hashOf,
	isHashOf,
	isSigned,
	newToken,
	tokenIn,
	withToken,
} from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import { queryOf } from '../../../../in-process/webhook';

const NOW = Date.parse('2026-03-01T12:00:00Z');

test('is new and secret each time', () => {
	const tokens = Array.from({ length: 100 }, () => newToken(NOW).token);
	expect(new Set(tokens).size).toBe(100);
	for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test('is younger than the one before, also where the clock went back', () => {
	expect(newToken(NOW).generation).toBe(NOW);
	expect(newToken(NOW, NOW - 1).generation).toBe(NOW);
	expect(newToken(NOW, NOW).generation).toBe(NOW + 1);
	expect(newToken(NOW, NOW + 5_000).generation).toBe(NOW + 5_001);
});

test.each([
	'https://n8n.example.com/webhook/1/webhook',
	'https://n8n.example.com/webhook/1/webhook?a=b',
	'http://localhost:5678/webhook/x%20y/webhook',
])('comes back from %s', (url) => {
	const token = newToken(NOW);
	const target = withToken(url, token);
	expect(tokenIn(queryOf(target))).toEqual(token);
	const { searchParams, origin, pathname } = new URL(target);
	searchParams.delete('key');
	expect(`${origin}${pathname}`).toBe(url.split('?')[0]);
});

const good = `${NOW}.${'x'.repeat(43)}`;

test.each<[string, unknown]>([
	['a list', { key: [good, good] }],
	['no generation', { key: `.${'x'.repeat(43)}` }],
	['a long generation', { key: `${'9'.repeat(16)}.${'x'.repeat(43)}` }],
	['a long token', { key: `${good}x` }],
	['a token of other letters', { key: `${NOW}.${'ü'.repeat(43)}` }],
	['blanks', { key: ` ${good}` }],
	['a line break', { key: `${good}\n` }],
])('%s is no key', (_, query) => {
	expect(tokenIn(query)).toBeUndefined();
});

test('whatever the query, it is read without an error', () => {
	fc.assert(
		fc.property(fc.anything(), (query) => {
			tokenIn(query);
			tokenIn({ key: query });
		}),
	);
});

describe('a signed token', () => {
	const signer = { secret: 'client secret', identity: 'workflow/node' };
	const token = newToken(NOW, 0, signer);
	const bent = Buffer.from(token.token, 'base64url');
	bent[0] ^= 1;
	/** Its two lowest bits belong to no byte. */
	function withNextLastLetter(text: string) {
		const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
		return text.slice(0, -1) + letters[letters.indexOf(text.slice(-1)) + 1];
	}
	/** As anyone could make it, where nothing is secret. */
	function signedWithNothing(): DeliveryToken {
		const random = randomBytes(16);
		const signed = JSON.stringify(['delivery', signer.identity, NOW, random.toString('hex')]);
		const half = createHmac('sha256', '').update(signed).digest().subarray(0, 16);
		return { generation: NOW, token: Buffer.concat([random, half]).toString('base64url') };
	}

	test('differs each time, and is told from others by the secret', () => {
		expect(newToken(NOW, 0, signer).token).not.toBe(token.token);
		expect(isSigned(token, signer)).toBe(true);
		expect(tokenIn(queryOf(withToken('https://n8n.example.com/', token)))).toEqual(token);
	});

	test.each<[string, DeliveryToken, Partial<Signer>]>([
		['with another secret', token, { secret: 'another' }],
		['without a secret', token, { secret: '' }],
		['for another node', token, { identity: 'workflow/other' }],
		['of another generation', { ...token, generation: NOW + 1 }, {}],
		['that was changed', { ...token, token: bent.toString('base64url') }, {}],
		['whose last letter was changed', { ...token, token: withNextLastLetter(token.token) }, {}],
		['that was cut off', { ...token, token: token.token.slice(0, 20) }, {}],
		['that nobody signed', newToken(NOW), {}],
		['of a public client', newToken(NOW, 0, { ...signer, secret: '' }), { secret: '' }],
		['signed with nothing', signedWithNothing(), { secret: '' }],
	])('is not one %s', (_, other, more) => {
		expect(isSigned(other, { ...signer, ...more })).toBe(false);
	});
});

const kept = newToken(NOW);
const hash = hashOf(kept.token);

test('a hash is kept of a token, by which it is known', () => {
	expect(hash).toMatch(/^[0-9a-f]{64}$/);
	expect(isHashOf(hash, kept)).toBe(true);
});

test.each([
	['another token', hash, newToken(NOW)],
	['the hash itself, which is no secret', hash, { ...kept, token: hash }],
	['anything, where nothing is kept', '', { ...kept, token: '' }],
])('what is kept of a token is not that of %s', (_, of, other) => {
	expect(isHashOf(of, other)).toBe(false);
});
