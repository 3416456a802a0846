import { HookContext } from 'n8n-core';
import type { SubscriptionState } from '../../../../nodes/FormResponses/trigger/state';
import {
	isLive,
	isSubscribed,
	productionState,
	saveState,
	stateOf,
} from '../../../../nodes/FormResponses/trigger/state';
import type { Stored } from '../../../n8n/workflow';
import { install } from '../../../n8n/workflow';
import { FORM_ID } from '../../../samples';
import { BASE_URL } from '../../../service';
import { aWorkflow } from './trigger.fixture';

const token = 't'.repeat(43);

function contextOf(stored: Stored) {
	const { workflow, node, additionalData } = install(stored);
	const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate');
	const save = (state: SubscriptionState) => {
		saveState(context, state);
		stored.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as Stored['staticData'];
	};
	return { context, save, webhookUrl: context.getNodeWebhookUrl('default')! };
}

const aState = (webhookUrl: string, state: Partial<SubscriptionState> = {}): SubscriptionState => ({
	hookId: 'hook',
	formId: FORM_ID,
	baseUrl: BASE_URL,
	targetUrl: `${webhookUrl}?key=1`,
	webhookUrl,
	generation: 5,
	token,
	since: '2026-03-01T12:00:00Z',
	old: ['a'],
	keys: [{ generation: 5, token, formId: FORM_ID }],
	...state,
});

test('what is saved is found again, in this process and in the next one', () => {
	const stored = aWorkflow();
	const { context, save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl));
	expect(stateOf(context)).toEqual(aState(webhookUrl));
	const restarted = contextOf({ ...stored, workflowId: 'restarted' });
	expect(stateOf(restarted.context)).toEqual(aState(webhookUrl));
	expect(productionState(restarted.context)).toEqual(aState(webhookUrl));
});

test('what is saved replaces all that was there', () => {
	const stored = aWorkflow();
	const { context, save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl, { stoppedAt: 7 }));
	save(aState(webhookUrl, { generation: 6, hookId: undefined }));
	const state = productionState(contextOf({ ...stored, workflowId: 'restarted' }).context)!;
	expect(state.generation).toBe(6);
	expect(Object.keys(state)).not.toContain('stoppedAt');
	expect(Object.keys(state)).not.toContain('hookId');
	expect(isLive(productionState(context)!)).toBe(true);
});

test('an old copy that is written back does not win', () => {
	const stored = aWorkflow();
	const { save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl));
	const stale = structuredClone(stored.staticData);
	save(aState(webhookUrl, { generation: 9, hookId: 'newer' }));
	const context = contextOf({ ...stored, staticData: stale }).context;
	expect(productionState(context)?.hookId).toBe('newer');
	expect(stateOf(context)?.hookId).toBe('newer');
});

test.each([
	[undefined],
	[{}],
	[{ generation: '5', keys: [] }],
	[{ generation: 5 }],
	[{ lastId: 'x' }],
])('static data %j is no subscription', (data) => {
	const stored = aWorkflow({}, { staticData: data && { 'node:Forms': data } });
	const { context } = contextOf(stored);
	expect([stateOf(context), productionState(context)]).toEqual([undefined, undefined]);
});

test.each<[string, Partial<SubscriptionState>, boolean]>([
	['subscribed', {}, true],
	['being made', { since: undefined }, false],
	['stopped', { stoppedAt: 1 }, false],
	['of a form without responses', { since: '' }, true],
])('%s', (_, change, live) => {
	const stored = aWorkflow();
	const { context, save, webhookUrl } = contextOf(stored);
	expect(isSubscribed(context)).toBe(false);
	save(aState(webhookUrl, change));
	expect(isSubscribed(context)).toBe(live);
	expect(isSubscribed(contextOf({ ...stored, workflowId: `other-${live}` }).context)).toBe(false);
});

test('a test listener leaves production alone', () => {
	const stored = aWorkflow();
	const { context, save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl));
	contextOf({ ...stored, staticData: {} }).save(
		aState(webhookUrl, { isTest: true, generation: 99 }),
	);
	expect(productionState(context)?.generation).toBe(5);
});
