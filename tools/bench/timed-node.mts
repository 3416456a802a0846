import { deliver } from '../../test/n8n/kit/hook.mts';
import type { Rig } from '../../test/n8n/kit/real-n8n.mts';
import { node, type NodeDraft } from '../../test/n8n/kit/workflow-nodes.mts';
import { MEASURED } from './contestants.mts';
import { PEERS } from './rig.mts';

const HEAP = 'Heap';

/** What peers/Heap.node.js gives. */
type Heap = Record<'MB at the peak' | 'MB alone' | 'items', number>;

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
}

/**
 * Publishes a workflow that hands the IDs to one node. Nobody asks n8n anything while it runs: the webhook answers at
 * its end.
 *
 * @returns runs the node once
 */
async function publishNode(rig: Rig, contestant: NodeDraft, work: Work, requests = 0) {
	const { n8n, instance, credentials } = rig;
	const { ids = [''], expected } = work;
	const path = crypto.randomUUID();
	const { id } = await rig.addWorkflow(nodesFor({ ...contestant, credentials }, path, requests));
	await rig.publish(id);
	let after = '0';

	return async () => {
		await deliver(`${instance.url}/webhook/${path}`, { ids });
		const execution = await n8n.waitForExecution(id, { after, timeoutMs: 60_000 });
		after = execution.id;
		const { runData, error } = execution.data.resultData;
		const items = n8n.nodeOutput(execution, MEASURED).length;
		if (expected !== undefined && items !== expected) {
			throw new Error(error?.message ?? `${items} items instead of ${expected}`);
		}
		return {
			ms: runData[MEASURED]?.[0]?.executionTime ?? NaN,
			items,
			heap: n8n.nodeOutput(execution, HEAP)[0]?.json as Heap | undefined,
		};
	};
}

/** Its time is what n8n itself notes for it. */
export async function timedNode(rig: Rig, contestant: NodeDraft, work: Work) {
	const run = await publishNode(rig, contestant, work);
	return async () => {
		const { ms, items } = await run();
		return { ms, items };
	};
}

/** @param requests how many it makes, at some of which its heap is measured */
export async function heapOfNode(rig: Rig, contestant: NodeDraft, work: Work, requests: number) {
	const run = await publishNode(rig, contestant, work, requests);
	return async () => (await run()).heap!;
}
