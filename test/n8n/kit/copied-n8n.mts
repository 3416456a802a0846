import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { installPackage } from '../../../playground/n8n/install-package.mts';
import { startN8n, type InstanceOptions } from '../../../playground/n8n/instance.mts';

const DATABASE = join('.n8n', 'database.sqlite');

/** Starts a second n8n with a backup of the data of one that keeps running. */
export async function startCopy(original: string, options: Omit<InstanceOptions, 'userFolder'>) {
	const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-copy-'));
	installPackage(userFolder, options);
	const database = new DatabaseSync(join(original, DATABASE));
	database.exec('PRAGMA busy_timeout = 10000');
	database.prepare('VACUUM INTO ?').run(join(userFolder, DATABASE));
	database.close();
	const instance = await startN8n({ ...options, userFolder });
	const remove = async () => await rm(userFolder, { recursive: true, force: true });
	return { ...instance, remove };
}
