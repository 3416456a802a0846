import { inARow, node } from '../../live/drafts.mts';
import { PEERS } from '../peers/install.mts';
import type { Stage } from './stage.mts';

type Json = Record<string, unknown>;

export interface Measured {
	ms: number;
	items: number;
	error?: string;
}

export interface MeasuredNode {
	type: string;
	typeVersion?: number;
	parameters?: Json;
}

const MEASURED = 'Measured';

/**
 * A published workflow that hands the posted ids to one node. It is started over a webhook that answers
 * when the run has ended, so that n8n has nothing else to do meanwhile, not even to be asked.
 *
 * @returns runs the node once and gives the time that n8n itself noted for it
 */
export async function publishMeasured({ n8n, url, credentials }: Stage, measured: MeasuredNode) {
	const path = crypto.randomUUID();
	const { type, parameters, ...extra } = measured;
	const webhook = {
		httpMethod: 'POST',
		path,
		responseMode: 'lastNode',
		responseData: 'noData',
		options: {},
	};
	const nodes = [
		node('Webhook', 'n8n-nodes-base.webhook', webhook, { typeVersion: 2, webhookId: path }),
		node('Inputs', `${PEERS}.inputs`),
		node(MEASURED, type, parameters, { credentials, ...extra }),
	];
	const workflow = await n8n.createWorkflow({
		name: `${type} ${path}`,
		settings: { executionOrder: 'v1' },
		nodes,
		connections: inARow(nodes),
	});
	const { ok, message } = await n8n.publish(workflow.id);
	if (!ok) throw new Error(`A workflow for ${type} could not be published: ${message}`);
	let last = '0';

	return async (ids: string[] = ['']): Promise<Measured> => {
		const answer = await fetch(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ ids }),
		});
		await answer.arrayBuffer();
		const execution = await n8n.waitForExecution(workflow.id, { after: last, timeoutMs: 60_000 });
		last = execution.id;
		const { runData, error } = execution.data.resultData;
		const run = runData[MEASURED]?.[0];
		if (!run) throw new Error(`${type} did not run: ${error?.message}`);
		const items = run.data?.main?.[0] ?? [];
		const failed = run.error?.message ?? items.find(({ json }) => json.error)?.json.error;
		return {
			ms: run.executionTime,
			items: items.length,
			...(failed !== undefined && { error: String(failed) }),
		};
	};
}
