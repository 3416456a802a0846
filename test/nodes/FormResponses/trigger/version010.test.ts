import { hashOf } from '../../../../nodes/FormResponses/trigger/deliveryToken';
import { fromVersion010, isOfVersion010 } from '../../../../nodes/FormResponses/trigger/version010';
import { FORM_ID, OTHER_FORM_ID } from '../../../samples';
import { BASE_URL } from '../../../service';

const SINCE = '2026-03-01T12:00:00.000Z';
const tokens = ['a'.repeat(43), 'b'.repeat(43)];

/** Static data as version 0.1.0 wrote it. */
const stored = (change: object = {}) => ({
	formId: FORM_ID,
	baseUrl: BASE_URL,
	webhookUrl: 'https://n8n.example.com/webhook/1/webhook',
	targetUrl: `https://n8n.example.com/webhook/1/webhook?key=5.${tokens[1]}`,
	hookId: 'hook',
	generation: 5,
	token: tokens[1],
	since: SINCE,
	old: [] as string[],
	keys: [
		{ generation: 4, token: tokens[0], formId: OTHER_FORM_ID },
		{ generation: 5, token: tokens[1], formId: FORM_ID },
	],
	...change,
});

test.each<[string, object, string]>([
	['a hook that delivers', {}, 'subscribed'],
	['of a form without responses', { since: '' }, 'subscribed'],
	['an API key', { hookId: undefined }, 'polling'],
	['a hook that was removed', { hookId: undefined, stoppedAt: 7 }, 'stopped'],
	['a hook that could not be removed', { stoppedAt: 7 }, 'stopped'],
	['a subscription that never came about', { since: undefined, hookId: undefined }, 'stopped'],
])('%s: %j is %s', (_, change, status) => {
	expect(fromVersion010(stored(change)).status).toBe(status);
});

test('what it takes to deliver, to recover and to unsubscribe is taken over', () => {
	expect(fromVersion010(stored({ stoppedAt: 7, isTest: true }))).toEqual({
		status: 'stopped',
		formId: FORM_ID,
		baseUrl: BASE_URL,
		webhookUrl: 'https://n8n.example.com/webhook/1/webhook',
		hookId: 'hook',
		generation: 5,
		keys: [
			{ generation: 4, hash: hashOf(tokens[0]), formId: OTHER_FORM_ID },
			{ generation: 5, hash: hashOf(tokens[1]), formId: FORM_ID },
		],
		since: SINCE,
		baseline: [],
		stoppedAt: 7,
		isTest: true,
	});
});

test('no token is', () => {
	const state = JSON.stringify(fromVersion010(stored()));
	for (const token of tokens) expect(state).not.toContain(token);
});

test('ids of what was there when polling began become response keys', () => {
	const { baseline } = fromVersion010(stored({ hookId: undefined, old: ['x', 'y'] }));
	expect(baseline).toEqual([`x ${SINCE}`, `y ${SINCE}`]);
});

test.each<[string, object, boolean]>([
	['of version 0.1.0', stored(), true],
	['of this version', { ...stored(), old: undefined, status: 'polling', baseline: [] }, false],
	['nothing', {}, false],
	['of another node', { lastId: 'x' }, false],
])('static data %s', (_, data, expected) => {
	const written = JSON.parse(JSON.stringify(data)) as object;
	expect(isOfVersion010(written)).toBe(expected);
});
