import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { idsOf } from '../../test/n8n/kit/published-trigger.mts';
import type { Rig } from '../../test/n8n/kit/real-n8n.mts';

/** The package of the peers. */
export const PEERS = 'n8n-nodes-bench-peers';

/** An n8n with the package and the peers, which lets the peers collect garbage. */
export const withPeers = {
	env: { NODE_OPTIONS: '--expose-gc' },
	alsoInstall(userFolder: string) {
		// Where n8n looks for community packages.
		const installed = join(userFolder, '.n8n/nodes/node_modules', PEERS);
		cpSync(join(import.meta.dirname, 'peers'), installed, { recursive: true });
	},
};

/** Responses with an answer for each label, to a form of their own, delivered to nobody; their IDs. */
export async function addResponses({ service }: Rig, count: number, labels?: string[]) {
	const fields = labels?.map((label) => ({ label }));
	const { id } = await service.addForm('Feedback', { fields });
	return idsOf(await service.addResponses(id, { count, deliver: false }));
}
