import { join, resolve } from 'node:path';
import { isFree } from '../n8n/ports.mts';

/** In a node_modules of its own, because n8n's lint reads every other folder, n8n's own files too. */
export const dataFolderName = 'playground/node_modules/.data';
export const dataFolder = resolve(import.meta.dirname, '../..', dataFolderName);

export interface Settings {
	dataFolder: string;
	n8nFolder: string;
	n8nPort: number;
	servicePort: number;
}

function port(variable: string, standard: number): number {
	const given = process.env[variable];
	if (!given) return standard;
	const number = Number(given);
	if (Number.isInteger(number) && number > 0 && number < 65536) return number;
	throw new Error(`${variable} must be a port number from 1 to 65535, not "${given}".`);
}

async function requireFree(variable: string, name: string, number: number) {
	if (await isFree(number)) return;
	throw new Error(
		`Port ${number} for ${name} is in use. Stop what uses it, or choose another port: ${variable}=${number + 1} npm start`,
	);
}

export async function readSettings(): Promise<Settings> {
	const n8nPort = port('N8N_PORT', 5678);
	const servicePort = port('SERVICE_PORT', 5800);
	if (n8nPort === servicePort) throw new Error('N8N_PORT and SERVICE_PORT must differ.');
	await requireFree('N8N_PORT', 'n8n', n8nPort);
	await requireFree('SERVICE_PORT', 'the form service', servicePort);
	return { dataFolder, n8nFolder: join(dataFolder, 'n8n'), n8nPort, servicePort };
}
