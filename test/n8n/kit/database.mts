import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startN8n, type InstanceOptions } from '../../../playground/n8n/instance.mts';
import { n8nLocation } from '../../../playground/n8n/location.mts';

export const databaseIn = (userFolder: string) => join(userFolder, '.n8n', 'database.sqlite');

/** Copies a database, while it is in use, to a file that does not exist. */
export function copyDatabase(from: string, to: string) {
	mkdirSync(dirname(to), { recursive: true });
	const database = new DatabaseSync(from);
	database.exec('PRAGMA busy_timeout = 10000');
	database.prepare('VACUUM INTO ?').run(to);
	database.close();
}

/** Starts n8n; a new one gets the tables that an earlier one has made, which takes as long as the rest of a start. */
export async function startWithTables(options: InstanceOptions) {
	const database = databaseIn(options.userFolder);
	const tables = join(n8nLocation().folder, 'node_modules', '.cache', 'tables.sqlite');
	const isNew = !existsSync(database);
	if (isNew && existsSync(tables)) cpSync(tables, database);
	const instance = await startN8n(options);
	if (isNew && !existsSync(tables)) {
		const made = `${tables}.${process.pid}`;
		copyDatabase(database, made);
		renameSync(made, tables);
	}
	return instance;
}
