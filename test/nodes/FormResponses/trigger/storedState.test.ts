import { HookContext } from 'n8n-core';
import type { TriggerState } from '../../../../nodes/FormResponses/trigger/state';
import {
	productionState,
	remember,
	save as saveSubscription,
	store,
	stateOf,
	subscriptionOf,
	testState,
} from '../../../../nodes/FormResponses/trigger/storedState';
import { toStoredKey } from '../../../../nodes/FormResponses/trigger/deliveryToken';
import type { Stored } from '../../../in-process/workflow';
import { install } from '../../../in-process/workflow';
import { FORM_ID } from '../../../samples';
import { BASE_URL } from '../../../service';
import { aWorkflow } from './trigger.fixture';

const token = 't'.repeat(43);

function contextOf(stored: Stored) {
	const { workflow, node, additionalData } = install(stored);
	const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate');
	const save = (state: TriggerState, known?: { targetUrl?: string }) => {
		if (state.isTest) store(context, state);
		else saveSubscription(context, { ...known, state });
		stored.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as Stored['staticData'];
	};
	return { context, save, webhookUrl: context.getNodeWebhookUrl('default')! };
}

/** What is stored, read in a process that knows nothing else. */
const afterRestart = (stored: Stored) =>
	contextOf({ ...aWorkflow(), staticData: stored.staticData }).context;

const aState = (webhookUrl: string, state: Partial<TriggerState> = {}): TriggerState => ({
	status: 'subscribed',
	hookId: 'hook',
	formId: FORM_ID,
	baseUrl: BASE_URL,
	webhookUrl,
	generation: 5,
	since: '2026-03-01T12:00:00Z',
	baseline: ['a'],
	keys: [toStoredKey({ generation: 5, token }, FORM_ID)],
	...state,
});

test('what is saved is found again, in this process and in the next one', () => {
	const stored = aWorkflow();
	const { context, save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl));
	for (const one of [context, afterRestart(stored)]) {
		expect(stateOf(one)).toEqual(aState(webhookUrl));
		expect(productionState(one)).toEqual(aState(webhookUrl));
	}
});

test('what is saved replaces all that was there', () => {
	const stored = aWorkflow();
	const { save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl, { stoppedAt: 7 }));
	save(aState(webhookUrl, { generation: 6, hookId: undefined }));
	const state = productionState(afterRestart(stored))!;
	expect(state.generation).toBe(6);
	expect(Object.keys(state)).not.toContain('stoppedAt');
	expect(Object.keys(state)).not.toContain('hookId');
});

test('an old copy that is written back does not win', () => {
	const stored = aWorkflow();
	const { save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl));
	const stale = structuredClone(stored.staticData);
	save(aState(webhookUrl, { generation: 9, hookId: 'newer' }));
	const { context } = contextOf({ ...stored, staticData: stale });
	expect(productionState(context)?.hookId).toBe('newer');
	expect(stateOf(context)?.hookId).toBe('newer');
});

test('what another process stored wins over what this one remembers of before', () => {
	const stored = aWorkflow();
	const { save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl));
	const other = aWorkflow();
	contextOf(other).save(aState(webhookUrl, { generation: 9, hookId: 'newer' }));
	const { context } = contextOf({ ...stored, staticData: other.staticData });
	expect(productionState(context)?.hookId).toBe('newer');
});

test('the target URL, with its token, is remembered by this process and stored nowhere', () => {
	const stored = aWorkflow();
	const { context, save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl), { targetUrl: `${webhookUrl}?key=5.${token}` });
	expect(subscriptionOf(context)?.targetUrl).toContain(token);
	expect(JSON.stringify(stored.staticData)).not.toContain(token);
	expect(subscriptionOf(afterRestart(stored))).toBeUndefined();
});

test('what a running trigger remembers is known to all calls of this process, and not stored', () => {
	const stored = aWorkflow();
	const { context, save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl));
	const before = JSON.stringify(stored.staticData);
	remember(context, { state: aState(webhookUrl, { hookId: 'made later' }) });
	expect(productionState(contextOf(stored).context)?.hookId).toBe('made later');
	expect(JSON.stringify(stored.staticData)).toBe(before);
});

test.each([
	[undefined],
	[{}],
	[{ status: 5, keys: [] }],
	[{ status: 'subscribed' }],
	[{ generation: '5', keys: [] }],
	[{ lastId: 'x' }],
])('static data %j is no subscription', (data) => {
	const stored = aWorkflow({}, { staticData: data && { 'node:Forms': data } });
	const { context } = contextOf(stored);
	expect([stateOf(context), productionState(context)]).toEqual([undefined, undefined]);
});

test('a test listener leaves production alone', () => {
	const stored = aWorkflow();
	const { context, save, webhookUrl } = contextOf(stored);
	save(aState(webhookUrl));
	const listener = { ...stored, staticData: {} };
	contextOf(listener).save(aState(`${webhookUrl}-test`, { isTest: true, generation: 99 }));
	expect(productionState(context)?.generation).toBe(5);
	expect(testState(contextOf(listener).context)?.generation).toBe(99);
	expect(testState(contextOf({ ...stored, staticData: {} }).context)).toBeUndefined();
});
