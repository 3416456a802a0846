import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { npm } from './npm.mjs';

const PROGRAM = join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

/** @type {import('./progress.mjs').Step} */
export const sqlite = {
	what: "SQLite, n8n's database, which is compiled if it cannot be downloaded",
	seconds: 100,
};

/**
 * Downloads SQLite's program for this computer, or compiles it if there is none to download. Works in a temporary folder,
 * so that n8n can be installed meanwhile, and because gyp cannot compile below a path with a space
 * (https://github.com/nodejs/node-gyp/issues/65). The lock file of n8n fixes the version.
 *
 * @param {string} n8nFolder
 * @param {AbortSignal} signal
 */
export async function makeSqlite(n8nFolder, signal) {
	const elsewhere = mkdtempSync(join(tmpdir(), 'form-responses-sqlite-'));
	try {
		for (const name of ['package-lock.json', '.npmrc']) {
			cpSync(join(n8nFolder, name), join(elsewhere, name));
		}
		const wanted = { private: true, dependencies: { sqlite3: '*' } };
		writeFileSync(join(elsewhere, 'package.json'), JSON.stringify(wanted));
		await npm(elsewhere, ['ci', '--ignore-scripts', '--legacy-peer-deps'], signal);
		await npm(elsewhere, ['rebuild', 'sqlite3'], signal);
		return readFileSync(join(elsewhere, PROGRAM));
	} finally {
		rmSync(elsewhere, { recursive: true, force: true, maxRetries: 5 });
	}
}

/**
 * @param {string} n8nFolder
 * @param {Uint8Array} program
 */
export function placeSqlite(n8nFolder, program) {
	mkdirSync(dirname(join(n8nFolder, PROGRAM)), { recursive: true });
	writeFileSync(join(n8nFolder, PROGRAM), program);
}
