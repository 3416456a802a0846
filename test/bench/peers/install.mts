import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const PEERS = 'n8n-nodes-bench-peers';

/** Makes a community package of the peers, where n8n finds it. */
export function installPeers(userFolder: string): string {
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', PEERS);
	const nodes = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.node.js'));
	mkdirSync(target, { recursive: true });
	for (const name of nodes) cpSync(join(import.meta.dirname, name), join(target, name));
	const manifest = { name: PEERS, version: '0.0.0', n8n: { n8nNodesApiVersion: 1, nodes } };
	writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
	return target;
}
