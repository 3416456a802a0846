import { newKey, stored } from '../../../../../nodes/FormResponses/trigger/state/key';
import type { Place, TriggerState } from '../../../../../nodes/FormResponses/trigger/state/state';
import { continues, transitions } from '../../../../../nodes/FormResponses/trigger/state/state';
import { FORM_ID, OTHER_FORM_ID } from '../../../../samples';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

const place: Place = { formId: FORM_ID, webhookUrl: 'https://n8n.example.com/webhook/1/webhook' };
const owner = { workflowId: 'workflow', nodeId: 'node', instanceId: 'n8n' };
const start = { since: '2026-03-01T11:00:00.000Z', baseline: ['a'] };
const key = stored(newKey(NOW));
const hook = { ...key, hookId: 'hook 1', hookMadeAt: '2026-03-01T12:00:00.000Z' };

const subscribed = transitions.subscribed(place, owner, hook, start);
const stopped = transitions.stopped(subscribed, NOW);
const refused = transitions.refused(stopped, NOW);

test('a subscription has all that is known of it', () => {
	expect(subscribed).toEqual({ ...place, ...owner, ...start, ...hook, status: 'subscribed' });
	const polling = { ...place, ...owner, ...start, status: 'polling', keyMadeAt: NOW, keyHash: '' };
	expect(transitions.polling(place, owner, start, NOW)).toEqual(polling);
});

test('what stopped keeps its hook until that is removed, and forgets the stop once it runs', () => {
	expect(stopped).toEqual({ ...subscribed, status: 'stopped', stoppedAt: NOW });
	expect(transitions.hookRemoved(stopped)).toEqual({ ...stopped, hookId: undefined });
	const running = transitions.running({ ...refused, status: 'subscribed' });
	expect(running).toEqual(subscribed);
});

test.each<[string, TriggerState, number, number]>([
	['stops', subscribed, 7, NOW + 7],
	['stops once', stopped, 7, NOW],
	['stops once, where n8n cleans up after a publication in vain', refused, MINUTE, NOW],
	[
		'stops again, where a person ends what was published in vain',
		refused,
		2 * MINUTE,
		NOW + 2 * MINUTE,
	],
])('what is stopped %s', (_, state, ms, stoppedAt) => {
	expect(transitions.stopped(state, NOW + ms)).toMatchObject({ status: 'stopped', stoppedAt });
});

const fourMinutesAgo = { ...stopped, stoppedAt: NOW - 4 * MINUTE };

test.each<[string, TriggerState | undefined, boolean]>([
	['after a pause that was short enough', fourMinutesAgo, true],
	['after a longer one', { ...stopped, stoppedAt: NOW - 5 * MINUTE }, false],
	['after one that nobody knows of', { ...stopped, stoppedAt: undefined }, false],
	['after none, however old it is', subscribed, true],
	['that is for another form', { ...subscribed, formId: OTHER_FORM_ID }, false],
	['that never began', { ...subscribed, since: undefined }, false],
	['that is not there', undefined, false],
	['that counted all', { ...subscribed, since: '' }, true],
])('whether a subscription goes on where an earlier one ended: %s', (_, previous, goesOn) => {
	expect(continues(previous, FORM_ID, NOW, 5 * MINUTE)).toBe(goesOn);
});
