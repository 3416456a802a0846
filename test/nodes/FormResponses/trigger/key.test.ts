import fc from 'fast-check';
import { isSameKey, keyIn, newKey, withKey } from '../../../../nodes/FormResponses/trigger/key';
import { queryOf } from '../../../n8n/webhook';

const NOW = Date.parse('2026-03-01T12:00:00Z');

test('is new and secret each time', () => {
	const tokens = Array.from({ length: 100 }, () => newKey(NOW).token);
	expect(new Set(tokens).size).toBe(100);
	for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test('is younger than the one before, also where the clock went back', () => {
	expect(newKey(NOW).generation).toBe(NOW);
	expect(newKey(NOW, NOW - 1).generation).toBe(NOW);
	expect(newKey(NOW, NOW).generation).toBe(NOW + 1);
	expect(newKey(NOW, NOW + 5_000).generation).toBe(NOW + 5_001);
});

test.each([
	'https://n8n.example.com/webhook/1/webhook',
	'https://n8n.example.com/webhook/1/webhook?a=b',
	'http://localhost:5678/webhook/x%20y/webhook',
])('comes back from %s', (url) => {
	const key = newKey(NOW);
	const target = withKey(url, key);
	expect(keyIn(queryOf(target))).toEqual(key);
	const { searchParams, origin, pathname } = new URL(target);
	searchParams.delete('key');
	expect(`${origin}${pathname}`).toBe(url.split('?')[0]);
});

const good = `${NOW}.${'x'.repeat(43)}`;

test.each<[string, unknown]>([
	['nothing', undefined],
	['no key', {}],
	['an empty key', { key: '' }],
	['a list', { key: [good, good] }],
	['an object', { key: { a: good } }],
	['a number', { key: 5 }],
	['no generation', { key: `.${'x'.repeat(43)}` }],
	['a short generation', { key: `1.${'x'.repeat(43)}` }],
	['a negative generation', { key: `-${good}` }],
	['a long generation', { key: `${'9'.repeat(16)}.${'x'.repeat(43)}` }],
	['a short token', { key: good.slice(0, -1) }],
	['a long token', { key: `${good}x` }],
	['a token of other letters', { key: `${NOW}.${'ü'.repeat(43)}` }],
	['blanks', { key: ` ${good}` }],
	['a line break', { key: `${good}\n` }],
	['10 kB', { key: good.repeat(200) }],
])('%s is no key', (_, query) => {
	expect(keyIn(query)).toBeUndefined();
});

test('whatever the query, it is read without an error', () => {
	fc.assert(
		fc.property(fc.anything(), (query) => {
			keyIn(query);
			keyIn({ key: query });
		}),
	);
});

test('is the same only with the same token and generation', () => {
	const key = newKey(NOW);
	expect(isSameKey(key, { ...key })).toBe(true);
	expect(isSameKey(key, { ...key, generation: key.generation + 1 })).toBe(false);
	expect(isSameKey(key, { ...key, token: newKey(NOW).token })).toBe(false);
	expect(isSameKey(key, { ...key, token: '' })).toBe(false);
	expect(isSameKey(key, { ...key, token: `${key.token}x` })).toBe(false);
});
