import { HookContext } from 'n8n-core';
import type { TriggerState } from '../../../../../nodes/FormResponses/trigger/state/state';
import {
	productionState,
	save as saveSubscription,
	stateOf,
} from '../../../../../nodes/FormResponses/trigger/state/storedState';
import { hashOf } from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import type { Stored } from '../../../../in-process/workflow';
import { install, WEBHOOK_BASE_URL } from '../../../../in-process/workflow';
import { FORM_ID } from '../../../../samples';
import { aWorkflow } from '../trigger.fixture';

function contextOf(stored: Stored) {
	const { workflow, node, additionalData } = install(stored);
	const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate');
	const saveState = (state: Partial<TriggerState>) => {
		saveSubscription(context, { state: aState(state) });
		stored.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as Stored['staticData'];
	};
	return { context, save: saveState };
}

const aState = (state: Partial<TriggerState>): TriggerState => ({
	...{ status: 'subscribed', hookId: 'hook', generation: 5, hash: hashOf('token') },
	...{ formId: FORM_ID, webhookUrl: WEBHOOK_BASE_URL, since: '2026-03-01T12:00:00Z', baseline: [] },
	...state,
});

test('what is saved replaces all that was there', () => {
	const stored = aWorkflow();
	const { save } = contextOf(stored);
	save({ stoppedAt: 7 });
	save({ generation: 6, hookId: undefined });
	const elsewhere = contextOf({ ...aWorkflow(), staticData: stored.staticData });
	const state = productionState(elsewhere.context)!;
	expect(state.generation).toBe(6);
	expect(Object.keys(state)).not.toContain('stoppedAt');
	expect(Object.keys(state)).not.toContain('hookId');
});

test.each([
	['an old copy that is written back does not win over what this process remembers', true],
	['what another process stored wins over what this one remembers of before', false],
])('%s', (_, isNewerHere) => {
	const [here, there] = [aWorkflow(), aWorkflow()];
	const [remembering, storing] = isNewerHere ? [9, 5] : [5, 9];
	contextOf(here).save({ generation: remembering });
	contextOf(there).save({ generation: storing });
	const { context } = contextOf({ ...here, staticData: there.staticData });
	for (const state of [productionState(context), stateOf(context)]) {
		expect(state?.generation).toBe(9);
	}
});

const BROKEN = [{ status: 5, hash: '' }, { status: 'subscribed' }, { generation: '5', hash: '' }];

test.each([undefined, {}, ...BROKEN])('static data %j is no subscription', (data) => {
	const stored = aWorkflow({}, { staticData: data && { 'node:Forms': data } });
	const { context } = contextOf(stored);
	expect([stateOf(context), productionState(context)]).toEqual([undefined, undefined]);
});
