import { newToken } from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import type { Place, TriggerState } from '../../../../../nodes/FormResponses/trigger/state/state';
import { continues, transitions } from '../../../../../nodes/FormResponses/trigger/state/state';
import { FORM_ID, OTHER_FORM_ID } from '../../../../samples';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

const place: Place = { formId: FORM_ID, webhookUrl: 'https://n8n.example.com/webhook/1/webhook' };
const start = { since: '2026-03-01T11:00:00.000Z', baseline: ['a'] };

const subscribed = (token = newToken(NOW)) =>
	transitions.subscribed(place, token, { hookId: `hook ${token.generation}`, ...start });

test('what stopped stops once', () => {
	const stopped = transitions.stopped(subscribed(), NOW);
	expect(transitions.stopped(stopped, NOW + 1)).toBe(stopped);
});

test('what n8n starts looks, and forgets no hook', () => {
	const stopped = transitions.stopped(subscribed(), NOW);
	const there = { ...place, webhookUrl: 'https://b.example.com', formId: OTHER_FORM_ID };
	const begun = { since: '2026-03-01T12:00:00.000Z', baseline: [], nodeId: 'node', isGuess: true };
	const started = { ...stopped, ...begun, stoppedAt: undefined };
	const polling = { ...started, status: 'polling', formId: OTHER_FORM_ID };
	expect(transitions.started(stopped, there, begun, 'polling')).toEqual(polling);
	const removed = transitions.hookRemoved(stopped);
	const without = { ...started, ...there, status: 'subscribed', hookId: undefined };
	expect(transitions.started(removed, there, begun, 'subscribed')).toEqual(without);
});

test('each generation is younger than the one before, also where the clock went back', () => {
	const polling = transitions.polling(subscribed(), place, start, NOW - 5_000);
	expect(polling.generation).toBe(NOW + 1);
	expect(transitions.polling(polling, place, start, NOW).generation).toBe(NOW + 2);
	expect(transitions.polling(undefined, place, start, NOW).generation).toBe(NOW);
});

const stopped = transitions.stopped(subscribed(), NOW - 4 * MINUTE);

test.each<[string, TriggerState, boolean]>([
	['after a pause that was short enough', stopped, true],
	['after a longer one', { ...stopped, stoppedAt: NOW - 5 * MINUTE }, false],
	['after one that nobody knows of', { ...stopped, stoppedAt: undefined }, false],
	['after none, however old it is', subscribed(newToken(1)), true],
	['that never began', transitions.begun(undefined, place), false],
	['that counted all', { ...subscribed(), since: '' }, true],
])('whether a subscription goes on where an earlier one ended: %s', (_, previous, goesOn) => {
	expect(continues(previous, FORM_ID, NOW, 5 * MINUTE)).toBe(goesOn);
});
