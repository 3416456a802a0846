import type { DeliveryToken } from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import { newToken } from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import type { Place, TriggerState } from '../../../../../nodes/FormResponses/trigger/state/state';
import { continues, transitions } from '../../../../../nodes/FormResponses/trigger/state/state';
import { FORM_ID, OTHER_FORM_ID } from '../../../../samples';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

const place: Place = {
	formId: FORM_ID,
	webhookUrl: 'https://n8n.example.com/webhook/1/webhook',
};
const start = { since: '2026-03-01T11:00:00.000Z', baseline: ['a'] };
const MADE_AT = '2026-03-01T12:00:00.000Z';
const live = newToken(NOW);

const subscribed = (token: DeliveryToken = live) =>
	transitions.subscribed(place, token, { hookId: `hook ${token.generation}`, ...start });

test('what stopped stops once', () => {
	const stopped = transitions.stopped(subscribed(), NOW);
	expect(transitions.stopped(stopped, NOW + 1)).toBe(stopped);
});

test('what n8n starts looks, and forgets no hook', () => {
	const stopped = transitions.stopped(subscribed(), NOW);
	const there = { ...place, webhookUrl: 'https://b.example.com', formId: OTHER_FORM_ID };
	const begun = { since: MADE_AT, baseline: [], nodeId: 'node', isGuess: true };
	const started = { ...stopped, ...begun, stoppedAt: undefined };
	expect(transitions.started(stopped, there, begun, 'polling')).toEqual({
		...{ ...started, status: 'polling', formId: OTHER_FORM_ID },
	});
	const removed = transitions.hookRemoved(stopped);
	expect(transitions.started(removed, there, begun, 'subscribed')).toEqual({
		...{ ...started, ...there, status: 'subscribed', hookId: undefined },
	});
});

test('each generation is younger than the one before, also where the clock went back', () => {
	const polling = transitions.polling(subscribed(), place, start, NOW - 5_000);
	expect(polling.generation).toBe(NOW + 1);
	expect(transitions.polling(polling, place, start, NOW).generation).toBe(NOW + 2);
	expect(transitions.polling(undefined, place, start, NOW).generation).toBe(NOW);
});

const stopped = transitions.stopped(subscribed(), NOW - 4 * MINUTE);

test.each<[string, TriggerState | undefined, string, boolean]>([
	['after a pause that was short enough', stopped, FORM_ID, true],
	['after a longer one', { ...stopped, stoppedAt: NOW - 5 * MINUTE }, FORM_ID, false],
	['after one of which nobody knows', { ...stopped, stoppedAt: undefined }, FORM_ID, false],
	['after none, however old it is', subscribed(newToken(1)), FORM_ID, true],
	['that never began', transitions.begun(undefined, place), FORM_ID, false],
	['that counted all', { ...subscribed(), since: '' }, FORM_ID, true],
])(
	'whether a subscription goes on where an earlier one ended: %s',
	(_, previous, formId, expected) => {
		expect(continues(previous, formId, NOW, 5 * MINUTE)).toBe(expected);
	},
);
