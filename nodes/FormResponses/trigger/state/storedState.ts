import type { IDataObject } from 'n8n-workflow';
import type { Memory, NodeContext } from './memory';
import type { TriggerState } from './triggerState';

/**
 * What n8n has stored of the node, or of its test listener, which it stores separately. The state of another node, which
 * had its name, or of a workflow that this one was copied from, is none.
 */
export function storedState(context: NodeContext): TriggerState | undefined {
	const data = context.getWorkflowStaticData('node') as Partial<TriggerState>;
	if (typeof data.status !== 'string' || typeof data.keyHash !== 'string') return undefined;
	const isOwn =
		data.workflowId === context.getWorkflow().id && data.nodeId === context.getNode().id;
	return isOwn ? ({ ...data } as TriggerState) : undefined;
}

/**
 * What is known of the production subscription; not for a test listener. Static data alone is unsafe: n8n writes it as
 * a whole, so a Code node that ends a run after a new subscription restores the old state; n8n stores it only after all
 * triggers are registered; and a running trigger may not write it.
 */
export function productionState(context: NodeContext, { state }: Memory): TriggerState | undefined {
	const stored = storedState(context);
	if (state === undefined || stored === undefined) return state ?? stored;
	return stored.keyMadeAt > state.keyMadeAt ? stored : state;
}

/** For hook methods only: n8n stores what they write, and no other writer is safe. */
export function store(context: NodeContext, state: TriggerState): void {
	const data = context.getWorkflowStaticData('node');
	for (const key of Object.keys(data)) delete data[key];
	// Whole values only: n8n does not notice changes inside a value.
	Object.assign(data, JSON.parse(JSON.stringify(state)) as IDataObject);
}

/** Of the production subscription. For hook methods only. */
export function save(context: NodeContext, memory: Memory, state: TriggerState): void {
	memory.state = state;
	store(context, state);
}
