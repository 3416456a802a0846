import type { IExecuteFunctions } from 'n8n-workflow';
import { tryToRecord } from '../../deduplication';
import { responseKey } from '../../responseKey';
import type { ResponseEnvelope } from '../../transport/types';

/** n8n forgets those first that were recorded first, also where the API still shows them (n8n, deduplication-helper.ts). */
const REMEMBERED = 10_000;

/** Response keys that a run of a node recorded, with the try that returned them last. */
type Recorded = Map<string, IExecuteFunctions>;

/** By the signal of an execution, because it ends with it, and by the run of a node in it. */
const executions = new WeakMap<AbortSignal, Map<string, Recorded>>();

function recordedBy(context: IExecuteFunctions): Recorded {
	const signal = context.getExecutionCancelSignal();
	if (signal === undefined) return new Map();
	const runs = executions.get(signal) ?? new Map<string, Recorded>();
	executions.set(signal, runs);
	const run = `${context.getNode().id} ${context.getWorkflowDataProxy(0).$runIndex}`;
	const recorded: Recorded = runs.get(run) ?? new Map();
	runs.set(run, recorded);
	return recorded;
}

/**
 * Those that no earlier run of this node returned; records that this one does. With Retry On Fail, n8n
 * drops the output of a run whose first item is an error and runs the node once more with a new context
 * (n8n-core, workflow-execute.ts): what the dropped output had is new still.
 */
export async function notReturnedBefore(
	context: IExecuteFunctions,
	envelopes: ResponseEnvelope[],
): Promise<ResponseEnvelope[]> {
	const own = recordedBy(context);
	const fresh = await tryToRecord(context, envelopes.map(responseKey), REMEMBERED);
	return envelopes.filter((envelope) => {
		const key = responseKey(envelope);
		const isDropped = own.has(key) && own.get(key) !== context;
		if (fresh !== undefined && !fresh.has(key) && !isDropped) return false;
		own.set(key, context);
		return true;
	});
}
