import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';
import { n8nLocation } from '../../playground/n8n/location.mts';
import { median, rowOf } from './row.mts';

export const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

/** Prints how long the files take to load, with n8n-workflow loaded as it is in n8n. */
const LOAD = `
	require('n8n-workflow');
	const startedAt = performance.now();
	for (const file of process.argv.slice(1)) for (const Class of Object.values(require(file))) new Class();
	console.log(performance.now() - startedAt);`;

/** What would be published, as npm counts it. */
export function packed() {
	const text = execFileSync('npm', ['pack', '--dry-run', '--json'], {
		cwd: packageRoot,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	// npm 12 gives the packages by name, earlier ones as a list.
	return Object.values<{ unpackedSize: number; shasum: string }>(JSON.parse(text))[0]!;
}

export const packageRow = rowOf({
	title: 'Package',
	how: 'Size as npm counts it; time to load both nodes in a new process that has loaded n8n-workflow.',
	counted: 15,
	async runs({ packageFolder }) {
		const { folder, node } = n8nLocation();
		const env = { PATH: process.env.PATH, NODE_PATH: join(folder, 'node_modules') };
		const files = manifest.n8n.nodes.map((path: string) => join(packageFolder, path));
		const load = () => execFileSync(node, ['-e', LOAD, ...files], { env, cwd: folder });
		return { 'both nodes': async () => ({ ms: Number(load()) }) };
	},
	checks: ({ 'both nodes': { ms } }) => ({
		unpacked: [packed().unpackedSize / 1_000, '≤165 kB'],
		loading: [median(ms), '≤15 ms'],
		dependencies: [Object.keys(manifest.dependencies ?? {}).length, '=0'],
	}),
});
