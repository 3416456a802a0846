import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './screen.mjs';

/**
 * False if the holder was killed.
 *
 * @param {string} lock
 */
function isHeld(lock) {
	try {
		return process.kill(Number(readFileSync(lock, 'utf8')), 0);
	} catch {
		return false;
	}
}

/**
 * @param {string} lock
 * @returns {boolean} whether this process now holds the lock
 */
function take(lock) {
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
		if (isHeld(lock)) return false;
		rmSync(lock, { force: true });
		return take(lock);
	}
}

/**
 * Keeps concurrent commands from installing the same part.
 *
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 */
export async function withLock(folder, work) {
	const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
	const lock = join(tmpdir(), `form-responses-setup-${name}`);
	for (let isFirst = true; !take(lock); isFirst = false) {
		if (isFirst) say(`Waiting for another command that is installing in ${folder} (${lock})`);
		await sleep(1_000);
	}
	try {
		return await work();
	} finally {
		rmSync(lock, { force: true });
	}
}
