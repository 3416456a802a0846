import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const packageRoot = resolve(import.meta.dirname, '../..');

interface Manifest {
	n8n: { nodes: string[]; credentials: string[] };
}

const sources = ['nodes', 'credentials', 'package.json', 'tsconfig.json', 'gulpfile.js'];

function newestChange(path: string): number {
	if (!existsSync(path)) return 0;
	const own = statSync(path);
	if (!own.isDirectory()) return own.mtimeMs;
	return Math.max(own.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

function isCurrent(): boolean {
	const { n8n } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as Manifest;
	const built = [...n8n.nodes, ...n8n.credentials].map((path) => join(packageRoot, path));
	return (
		Math.min(...built.map(newestChange)) >
		Math.max(...sources.map((name) => newestChange(join(packageRoot, name))))
	);
}

/** Builds the package when its dist folder is missing or older than a source. */
export function ensureBuilt() {
	if (isCurrent()) return;
	const built = spawnSync('npm', ['run', 'build'], { cwd: packageRoot, encoding: 'utf8' });
	if (built.status === 0 && isCurrent()) return;
	const output = `${built.stdout ?? ''}${built.stderr ?? ''}`.trim().split('\n').slice(-30);
	throw new Error(`"npm run build" failed:\n${output.join('\n') || built.error?.message}`);
}
