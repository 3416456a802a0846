import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { chosenPorts } from '../ports.mts';

/** Below node_modules, because n8n's lint reads all other folders, n8n's own files included. */
export const dataFolderName = 'playground/node_modules/.data';
const dataFolder = resolve(import.meta.dirname, '../..', dataFolderName);

mkdirSync(dataFolder, { recursive: true });
/** Locked until this process ends: the system releases its file locks. */
const lock = new DatabaseSync(join(dataFolder, 'start.lock'));

function lockDataFolder() {
	try {
		lock.exec('BEGIN EXCLUSIVE');
	} catch {
		throw new Error('"npm start" is already running. Press Ctrl-C in its terminal to stop it.');
	}
}

export async function readSettings() {
	lockDataFolder();
	return { dataFolder, n8nFolder: join(dataFolder, 'n8n'), ports: await chosenPorts() };
}
