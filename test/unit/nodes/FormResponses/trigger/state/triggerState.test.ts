import {
	continues,
	transitions,
	type TriggerState,
} from '../../../../../../nodes/FormResponses/trigger/state/triggerState';
import { FORM_ID, OTHER_FORM_ID } from '../../../../kit/samples';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

const place = { formId: FORM_ID, webhookUrl: 'https://n8n.example.com/webhook/1/webhook' };
const owner = { workflowId: 'workflow', nodeId: 'node', instanceId: 'n8n' };
const start = { since: '2026-03-01T11:00:00.000Z', baseline: [] };
const hook = { keyMadeAt: NOW, keyHash: 'hash', hookId: 'hook 1' };

const subscribed = transitions.subscribed(place, owner, hook, start);
const stopped = transitions.stopped(subscribed, NOW);
const refused = transitions.refused(stopped, NOW);

test.each<[string, TriggerState, number, number]>([
	['stops', subscribed, 7, 7],
	['stops once', stopped, 7, 0],
	['stops once, where n8n cleans up after a publication in vain', refused, MINUTE, 0],
	['stops again, where a person ends it after that', refused, 2 * MINUTE, 2 * MINUTE],
])('what is stopped %s', (_, state, ms, stoppedAfter) => {
	const { status, stoppedAt } = transitions.stopped(state, NOW + ms);
	expect([status, stoppedAt]).toEqual(['stopped', NOW + stoppedAfter]);
});

const stoppedAgo = (minutes: number) => ({ ...stopped, stoppedAt: NOW - minutes * MINUTE });

test.each<[string, TriggerState | undefined, boolean]>([
	['after a pause that was short enough', stoppedAgo(4), true],
	['after a longer one', stoppedAgo(5), false],
	['after one that nobody knows of', { ...stopped, stoppedAt: undefined }, false],
	['after none, however old it is', subscribed, true],
	['that is for another form', { ...subscribed, formId: OTHER_FORM_ID }, false],
	['that is not there', undefined, false],
	['that counted all', { ...subscribed, since: '' }, true],
])('whether a subscription goes on where an earlier one ended: %s', (_, previous, goesOn) => {
	expect(continues(previous, FORM_ID, NOW, 5 * MINUTE)).toBe(goesOn);
});
