import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { parts } from './parts.mjs';
import { prepareSqlite } from './sqlite.mjs';

/** @param {string} folder */
function fingerprint(folder) {
	const lock = readFileSync(join(folder, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${hash} ${process.platform}-${process.arch}\n`;
}

/**
 * npm ci removes the stamp together with node_modules, so it never outlives the installation.
 *
 * @param {string} folder
 */
const stampPath = (folder) => join(folder, 'node_modules', '.setup-stamp');

/** @param {string} folder */
function isInstalled(folder) {
	const path = stampPath(folder);
	return existsSync(path) && readFileSync(path, 'utf8') === fingerprint(folder);
}

/** @param {import('./parts.mjs').Part} part */
async function installPart({ folder, hasNode, isN8n }) {
	// npm 10 and 11 differ in which install scripts they run, so none run here; the needed ones follow.
	// n8n's tree has contradicting peer dependencies.
	await npm(folder, ['ci', '--ignore-scripts', ...(isN8n ? ['--legacy-peer-deps'] : [])]);
	// The npm package "node" fetches its binary in an install script.
	if (hasNode) await npm(folder, ['rebuild', 'node']);
	if (isN8n) await prepareSqlite(folder);
	writeFileSync(stampPath(folder), fingerprint(folder));
}

/** @param {string[]} names keys of `parts` */
export async function install(names) {
	const unknown = names.filter((name) => !Object.hasOwn(parts, name));
	if (names.length === 0 || unknown.length > 0) {
		if (unknown.length > 0) console.error(`Unknown part: ${unknown.join(', ')}.`);
		console.error(`Name what to set up: ${Object.keys(parts).join(', ')}.`);
		process.exit(1);
	}
	for (const name of names) {
		const part = parts[name];
		const isElsewhere = name === 'n8n' && process.env.N8N_DIR;
		if (!part || isElsewhere || isInstalled(part.folder)) continue;
		await withLock(part.folder, async () => {
			if (isInstalled(part.folder)) return;
			console.log(`Installing ${name} in ${part.folder} (${part.expect ?? 'a few seconds'}, once)`);
			await installPart(part);
		});
	}
}
