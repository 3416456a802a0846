import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

export interface N8nLocation {
	folder: string;
	/** The Node binary that n8n's own native modules were built for. */
	node: string;
	n8n: string;
	/** A PATH on which `node` is that binary: n8n starts its task runner as `node`. */
	path: string;
}

/** Where n8n is installed: here, or where N8N_DIR says that it already is. */
export function n8nLocation(): N8nLocation {
	const named = process.env.N8N_DIR;
	const folder = named ? resolve(named) : import.meta.dirname;
	const bin = join(folder, 'node_modules', '.bin');
	const location = {
		folder,
		node: join(bin, 'node'),
		n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
		path: [bin, process.env.PATH].filter(Boolean).join(delimiter),
	};
	const missing = [location.node, location.n8n].find((file) => !existsSync(file));
	if (missing) {
		const wayOut = named
			? `N8N_DIR must name a folder in which "npm install n8n node" was run.`
			: `Run "node playground/setup.mjs n8n" first, or name an installed n8n with N8N_DIR.`;
		throw new Error(`There is no n8n to start: ${missing} does not exist. ${wayOut}`);
	}
	return location;
}
