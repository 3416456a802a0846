import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from './npm.mjs';

const NEEDED = ['sqlite3', 'node-addon-api'];
const BUILT = ['node_modules', 'sqlite3', 'build'];

/**
 * Fetches SQLite's binary for Node, or compiles it where it cannot be fetched.
 *
 * gyp cannot compile below a path with a blank (https://github.com/nodejs/node-gyp/issues/65), so it is
 * done in the folder for temporary files then.
 *
 * @param {string} folder n8n's
 * @returns {ReturnType<typeof npm>}
 */
export async function prepareSqlite(folder) {
	if (!folder.includes(' ')) return await npm(folder, ['rebuild', 'sqlite3']);
	const elsewhere = mkdtempSync(join(tmpdir(), 'form-responses-sqlite-'));
	try {
		for (const name of NEEDED) {
			const path = join('node_modules', name);
			cpSync(join(folder, path), join(elsewhere, path), { recursive: true });
		}
		const result = await npm(
			join(elsewhere, 'node_modules', 'sqlite3'),
			['run', 'install'],
			folder,
		);
		const built = join(elsewhere, ...BUILT);
		if (existsSync(built)) cpSync(built, join(folder, ...BUILT), { recursive: true });
		return result;
	} finally {
		rmSync(elsewhere, { recursive: true, force: true });
	}
}
