import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const tree = createHash('sha256')
	.update(import.meta.url)
	.digest('hex')
	.slice(0, 12);
const lock = join(tmpdir(), `form-responses-setup-${tree}`);

/** @returns {boolean} false if it was killed */
function isHolderAlive() {
	try {
		return process.kill(Number(readFileSync(lock, 'utf8')), 0);
	} catch {
		return false;
	}
}

/**
 * Keeps two commands from installing at the same time.
 *
 * @param {() => Promise<void>} work
 */
export async function withLock(work) {
	for (let isFirst = true; ; isFirst = false) {
		try {
			writeFileSync(lock, String(process.pid), { flag: 'wx' });
			break;
		} catch (error) {
			if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
		}
		if (!isHolderAlive()) rmSync(lock, { force: true });
		else if (isFirst) console.log(`Waiting for another command that is installing (${lock})`);
		await sleep(500);
	}
	await work().finally(() => rmSync(lock, { force: true }));
}
