import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isFree } from '../n8n/ports.mts';

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

async function freePortIn(variable: string, defaultPort: number): Promise<number> {
	const number = Number(process.env[variable] || defaultPort);
	if (!Number.isInteger(number) || number < 1 || number > 65_535) {
		throw new Error(
			`${variable} must be a port number from 1 to 65535, not "${process.env[variable]}".`,
		);
	}
	if (await isFree(number)) return number;
	throw new Error(
		`Port ${number} is in use. Stop the program that uses it, or choose another port: ${variable}=${number + 1} npm start`,
	);
}

export async function readSettings() {
	lockDataFolder();
	const n8nPort = await freePortIn('N8N_PORT', 5678);
	const servicePort = await freePortIn('SERVICE_PORT', 5800);
	const mailPort = await freePortIn('MAIL_PORT', 5880);
	if (new Set([n8nPort, servicePort, mailPort]).size < 3) {
		throw new Error('N8N_PORT, SERVICE_PORT and MAIL_PORT must differ.');
	}
	return { dataFolder, n8nFolder: join(dataFolder, 'n8n'), n8nPort, servicePort, mailPort };
}

export type Settings = Awaited<ReturnType<typeof readSettings>>;
