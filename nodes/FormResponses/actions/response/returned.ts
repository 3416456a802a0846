import type { IExecuteFunctions } from 'n8n-workflow';
import { tryToRecord } from '../../processedStore';
import { responseKey } from '../../transport/responseKey';
import type { ResponseEnvelope } from '../../transport/types';

/** n8n drops the oldest keys first, even if the API still shows the response (n8n, deduplication-helper.ts). */
const REMEMBERED = 10_000;

/** Response keys that a run of a node recorded, with the context of the last attempt that returned them. */
type Recorded = Map<string, IExecuteFunctions>;

/** Keyed by the execution's cancel signal, which is released with it, then by node and run index. */
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
 * Filters out responses that an earlier run of this node returned, and records the rest. With Retry On Fail,
 * n8n drops the output of a run whose first item is an error and runs the node again with a new context
 * (n8n-core, workflow-execute.ts), so responses of the dropped output still count as new.
 */
export async function filterNew(
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
