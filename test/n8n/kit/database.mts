import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startN8n, type InstanceOptions } from '../../../playground/n8n/instance.mts';
import { n8nLocation } from '../../../playground/n8n/location.mts';

const databaseIn = (userFolder: string) => join(userFolder, '.n8n', 'database.sqlite');

/** Copies n8n's database, while it is in use, to a file that does not exist. */
function copyTo(path: string, userFolder: string) {
	mkdirSync(dirname(path), { recursive: true });
	const database = new DatabaseSync(databaseIn(userFolder));
	database.exec('PRAGMA busy_timeout = 10000');
	database.prepare('VACUUM INTO ?').run(path);
	database.close();
}

export function copyDatabase(from: string, to: string) {
	copyTo(databaseIn(to), from);
}

/** Starts n8n; a new one gets the tables that another has made, in half of the time of a start. */
export async function startWithTables(options: InstanceOptions) {
	const { userFolder } = options;
	const tables = join(n8nLocation().folder, 'node_modules', '.cache', 'tables.sqlite');
	const isNew = !existsSync(databaseIn(userFolder));
	const isMade = existsSync(tables);
	if (isNew && isMade) cpSync(tables, databaseIn(userFolder));
	const instance = await startN8n(options);
	if (isNew && !isMade) {
		const made = `${tables}.${process.pid}`;
		copyTo(made, userFolder);
		renameSync(made, tables);
	}
	return instance;
}
