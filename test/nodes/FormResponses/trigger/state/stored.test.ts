import { HookContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { emptyMemory, ownerOf } from '../../../../../nodes/FormResponses/trigger/state/memory';
import type { TriggerState } from '../../../../../nodes/FormResponses/trigger/state/state';
import {
	productionState,
	save,
	storedState,
} from '../../../../../nodes/FormResponses/trigger/state/stored';
import { install, WEBHOOK_BASE_URL, type Stored } from '../../../../in-process/workflow';
import { FORM_ID } from '../../../../samples';
import { aWorkflow } from '../trigger.fixture';

function contextOf(stored: Stored) {
	const { workflow, node, additionalData } = install(stored);
	const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate');
	return {
		context,
		staticData: () => JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject,
	};
}

const aState = (stored: Stored, state: Partial<TriggerState> = {}): TriggerState => ({
	...ownerOf(contextOf(stored).context),
	...{ status: 'subscribed', hookId: 'hook', keyMadeAt: 5, keyHash: 'hash' },
	...{ formId: FORM_ID, webhookUrl: WEBHOOK_BASE_URL, since: '2026-03-01T12:00:00Z', baseline: [] },
	...state,
});

test('what is saved is remembered, and replaces all that was stored', () => {
	const stored = aWorkflow();
	const { context, staticData } = contextOf(stored);
	const memory = emptyMemory();
	save(context, memory, aState(stored, { stoppedAt: 7 }));
	const state = aState(stored, { keyMadeAt: 6, hookId: undefined });
	save(context, memory, state);
	expect(memory.state).toBe(state);
	const later = contextOf({ ...stored, staticData: staticData() }).context;
	const { hookId, ...rest } = state;
	expect(storedState(later)).toStrictEqual(rest);
	expect(hookId).toBeUndefined();
});

test.each<[string, number | undefined, number | undefined, number | undefined]>([
	['an old copy that a run writes back does not win over what this process remembers', 9, 5, 9],
	['what another process stored wins over what this one remembers of before', 5, 9, 9],
	['what n8n has not stored yet counts', 9, undefined, 9],
	['a process that remembers nothing goes by what is stored', undefined, 5, 5],
	['there may be nothing', undefined, undefined, undefined],
])('%s', (_, remembered, storedAt, expected) => {
	const stored = aWorkflow();
	const at = (keyMadeAt?: number) => keyMadeAt && aState(stored, { keyMadeAt });
	const data = { 'node:Forms': at(storedAt) || {} } as unknown as IDataObject;
	const { context } = contextOf({ ...stored, staticData: data });
	const memory = { ...emptyMemory(), state: at(remembered) || undefined };
	expect(productionState(context, memory)?.keyMadeAt).toBe(expected);
});

test.each<[string, object | undefined]>([
	['nothing', undefined],
	['what another program wrote', { status: 5, keyHash: '' }],
	['a state without a key', { keyHash: undefined }],
	['that of another node, which had this name', { nodeId: 'pasted' }],
	['that of the workflow that this one was copied from', { workflowId: 'original' }],
])('%s is nothing stored', (_, odd) => {
	const stored = aWorkflow();
	const data = odd && { ...aState(stored), ...odd };
	const { context } = contextOf({ ...stored, staticData: { 'node:Forms': data } as IDataObject });
	expect(storedState(context)).toBeUndefined();
});
