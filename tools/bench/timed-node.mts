import { deliver } from '../../test/n8n/kit/hook.mts';
import type { Rig } from '../../test/n8n/kit/real-n8n.mts';
import { node, type NodeDraft } from '../../test/n8n/kit/workflow-nodes.mts';
import { MEASURED } from './contestants.mts';
import { PEERS } from './rig.mts';

const HEAP = 'Heap';

/** A webhook, which answers when the run has ended; an item for each posted ID; and the node. */
function nodesFor(contestant: NodeDraft, path: string, requests: number): NodeDraft[] {
	const webhook = { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'noData' };
	const split = { fieldToSplitOut: 'body.ids', options: { destinationFieldName: 'id' } };
	const heap = (name: string) => (requests ? [node(name, `${PEERS}.heap`, { requests })] : []);
	return [
		node('Webhook', 'n8n-nodes-base.webhook', webhook, { typeVersion: 2, webhookId: path }),
		node('Inputs', 'n8n-nodes-base.splitOut', split),
		...heap('Watch'),
		contestant,
		...heap(HEAP),
	];
}

interface Work {
	ids?: string[];
	/** How many items the node has to give. */
	expected?: number;
	/** How many requests it makes, to have its heap measured. */
	requests?: number;
}

/**
 * Publishes a workflow that hands the IDs to one node. Nobody asks n8n anything while it runs: the webhook answers at
 * its end.
 *
 * @returns runs the node once; its time is what n8n itself notes for it
 */
export async function timedNode(rig: Rig, contestant: NodeDraft, work: Work) {
	const { n8n, instance, credentials } = rig;
	const { ids = [''], expected, requests = 0 } = work;
	const path = crypto.randomUUID();
	const { id } = await rig.addWorkflow(nodesFor({ ...contestant, credentials }, path, requests));
	await rig.publish(id);
	let after = '0';

	return async (): Promise<Record<string, number>> => {
		await deliver(`${instance.url}/webhook/${path}`, { ids });
		const execution = await n8n.waitForExecution(id, { after, timeoutMs: 60_000 });
		after = execution.id;
		const { runData, error } = execution.data.resultData;
		const items = n8n.nodeOutput(execution, MEASURED).length;
		if (expected !== undefined && items !== expected) {
			throw new Error(error?.message ?? `${items} items instead of ${expected}`);
		}
		const [heap] = n8n.nodeOutput(execution, HEAP);
		if (heap) return heap.json as Record<string, number>;
		const ms = runData[MEASURED]?.[0]?.executionTime ?? NaN;
		return expected === undefined ? { ms, items } : { ms };
	};
}
