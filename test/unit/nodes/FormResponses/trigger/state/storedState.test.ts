import type { IDataObject } from 'n8n-workflow';
import { emptyMemory, ownerOf } from '../../../../../../nodes/FormResponses/trigger/state/memory';
import type { TriggerState } from '../../../../../../nodes/FormResponses/trigger/state/triggerState';
import {
	productionState,
	save,
	storedState,
} from '../../../../../../nodes/FormResponses/trigger/state/storedState';
import { hookContextOf } from '../../../../kit/hookMethods';
import type { Stored } from '../../../../kit/workflow';
import { FORM_ID } from '../../../../kit/samples';
import { aWorkflow } from '../trigger.fixture';

const aState = (stored: Stored, state: object = {}): TriggerState => ({
	...ownerOf(hookContextOf(stored)),
	...{ status: 'subscribed', hookId: 'hook', keyMadeAt: 5, keyHash: 'hash', formId: FORM_ID },
	...{ webhookUrl: 'https://n8n.example.com', since: '2026-03-01T12:00:00Z', baseline: [] },
	...state,
});

const contextWith = (stored: Stored, state?: object) =>
	hookContextOf({ ...stored, staticData: { 'node:Forms': state } as IDataObject });

test('what is saved is remembered, and replaces all that was stored', () => {
	const stored = aWorkflow();
	const context = contextWith(stored, aState(stored, { stoppedAt: 7 }));
	const memory = emptyMemory();
	const state = aState(stored, { keyMadeAt: 6, hookId: undefined });
	save(context, memory, state);
	expect(memory.state).toBe(state);
	expect(storedState(context)).toStrictEqual(JSON.parse(JSON.stringify(state)));
});

test.each<[string, number | undefined, number | undefined, number | undefined]>([
	['an old copy that a run writes back does not win over what this process remembers', 9, 5, 9],
	['what another process stored wins over what this one remembers of before', 5, 9, 9],
	['what n8n has not stored yet counts', 9, undefined, 9],
	['a process that remembers nothing goes by what is stored', undefined, 5, 5],
	['there may be nothing', undefined, undefined, undefined],
])('%s', (_, remembered, storedAt, expected) => {
	const stored = aWorkflow();
	const at = (keyMadeAt?: number) => (keyMadeAt ? aState(stored, { keyMadeAt }) : undefined);
	const memory = { ...emptyMemory(), state: at(remembered) };
	const context = contextWith(stored, at(storedAt));
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
	const data = odd && aState(stored, odd);
	expect(storedState(contextWith(stored, data))).toBeUndefined();
});
