import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const packageRoot = resolve(import.meta.dirname, '../..');

const sources = ['{nodes,credentials}/**', 'package.json', 'tsconfig.json', 'gulpfile.js'];

const modifiedAt = (path: string) =>
	statSync(join(packageRoot, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isUpToDate(): boolean {
	const { n8n } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
	const built: string[] = [...n8n.nodes, ...n8n.credentials];
	const newestSource = Math.max(...globSync(sources, { cwd: packageRoot }).map(modifiedAt));
	return Math.min(...built.map(modifiedAt)) > newestSource;
}

/** Builds the package if its dist folder is missing or outdated. */
export function ensureBuilt() {
	if (isUpToDate()) return;
	const built = spawnSync('npm', ['run', 'build'], { cwd: packageRoot, encoding: 'utf8' });
	if (built.status === 0 && isUpToDate()) return;
	const output = `${built.stdout ?? ''}${built.stderr ?? ''}`.trim().split('\n').slice(-30);
	throw new Error(`"npm run build" failed:\n${output.join('\n') || built.error?.message}`);
}
