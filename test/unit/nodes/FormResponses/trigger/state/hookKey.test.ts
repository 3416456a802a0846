import {
	isStored,
	keyIn,
	newKey,
	NO_KEY,
	stored,
	withKey,
	type Key,
	type StoredKey,
} from '../../../../../../nodes/FormResponses/trigger/state/hookKey';
import { queryOf } from '../../../../kit/delivery';

const NOW = Date.parse('2026-03-01T12:00:00Z');

test('is new and secret each time', () => {
	const [first, second] = [newKey(NOW).text, newKey(NOW).text];
	expect(first).toMatch(new RegExp(`^${NOW}\\.[A-Za-z0-9_-]{43}$`));
	expect(second).not.toBe(first);
});

test('is younger than the one before, also where the clock went back', () => {
	const after = [0, NOW - 1, NOW, NOW + 5_000];
	const made = after.map((before) => newKey(NOW, before).madeAt - NOW);
	expect(made).toEqual([0, 0, 1, 5_001]);
});

test.each([
	'https://n8n.example.com/webhook/1/webhook?a=b',
	'http://localhost:5678/webhook/x%20y/webhook',
])('comes back from %s', (url) => {
	const key = newKey(NOW);
	const target = withKey(url, key);
	expect(keyIn(queryOf(target))).toEqual(key);
	expect(target.replace(/[?&]key=[^&]*/, '')).toBe(url);
});

const good = `${NOW}.${'x'.repeat(43)}`;

test.each<[string, unknown]>([
	['no query', undefined],
	['none', {}],
	['a list', { key: [good] }],
	['no time', { key: `.${'x'.repeat(43)}` }],
	['a long time', { key: `${'9'.repeat(16)}.${'x'.repeat(43)}` }],
	['a long secret', { key: `${good}x` }],
	['a secret of other letters', { key: `${NOW}.${'ü'.repeat(43)}` }],
	['blanks', { key: ` ${good}` }],
	['a line break', { key: `${good}\n` }],
])('%s is no key', (_, query) => {
	expect(keyIn(query)).toBeUndefined();
});

const own = newKey(NOW);
const kept = stored(own);

test('a hash is stored of it', () => {
	expect(kept).toEqual({ keyMadeAt: NOW, keyHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test.each<[string, StoredKey, Key, boolean]>([
	['itself', kept, own, true],
	['another key of the same time', kept, newKey(NOW), false],
	['the same secret of another time', kept, { madeAt: NOW, text: `1${own.text}` }, false],
	['the hash, which is no secret', kept, { ...own, text: kept.keyHash }, false],
	['any, where none is stored', NO_KEY, { madeAt: 0, text: '' }, false],
])('what is stored is known as %s', (_, of, key, expected) => {
	expect(isStored(of, key)).toBe(expected);
});
