import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from './npm.mjs';

const SQLITE = join('node_modules', 'sqlite3');
const NEEDED = [SQLITE, join('node_modules', 'node-addon-api')];

/**
 * Fetches SQLite's binary for Node, or compiles it if there is none to fetch. Works in a temporary folder if
 * the path has a space, below which gyp cannot compile (https://github.com/nodejs/node-gyp/issues/65).
 *
 * @param {string} folder n8n's
 */
export async function prepareSqlite(folder) {
	if (!folder.includes(' ')) return await npm(folder, ['rebuild', 'sqlite3']);
	const elsewhere = mkdtempSync(join(tmpdir(), 'form-responses-sqlite-'));
	try {
		for (const path of NEEDED) {
			cpSync(join(folder, path), join(elsewhere, path), { recursive: true });
		}
		await npm(join(elsewhere, SQLITE), ['run', 'install'], folder);
		const built = join(SQLITE, 'build');
		cpSync(join(elsewhere, built), join(folder, built), { recursive: true });
	} finally {
		rmSync(elsewhere, { recursive: true, force: true });
	}
}
