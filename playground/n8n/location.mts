import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** N8N_DIR names a folder with an existing installation. */
export function n8nLocation() {
	const folder = resolve(process.env.N8N_DIR || import.meta.dirname);
	const bin = join(folder, 'node_modules', '.bin');
	const location = {
		folder,
		/** The Node binary that n8n's native modules were built for. */
		node: join(bin, 'node'),
		n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
		/** A PATH on which `node` is that binary, because n8n starts its task runner as `node`. */
		path: [bin, process.env.PATH].filter(Boolean).join(delimiter),
	};
	const missing = [location.node, location.n8n].find((file) => !existsSync(file));
	if (!missing) return location;
	throw new Error(
		`There is no n8n to start: ${missing} does not exist. Run "node playground/setup.mjs n8n", or name with N8N_DIR a folder in which "npm install n8n node" was run.`,
	);
}
