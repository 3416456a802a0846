import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage } from '../../../playground/n8n/install-package.mts';
import { startN8n, type InstanceOptions } from '../../../playground/n8n/instance.mts';
import { copyDatabase, databaseIn } from './database.mts';

/** Starts a second n8n with a backup of the data of one that keeps running. */
export async function startCopy(original: string, options: Omit<InstanceOptions, 'userFolder'>) {
	const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-copy-'));
	installPackage(userFolder, options);
	copyDatabase(databaseIn(original), databaseIn(userFolder));
	const instance = await startN8n({ ...options, userFolder });
	const remove = async () => await rm(userFolder, { recursive: true, force: true });
	return { ...instance, remove };
}
