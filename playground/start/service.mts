import { join, resolve } from 'node:path';
import { nodeCommand, startProcess } from '../n8n/process.mts';
import { host, isListening } from '../ports.mts';

export interface Form {
	id: string;
	title: string;
}

const main = resolve(import.meta.dirname, '../service/main.mts');

/** Starts the form service in its own process, with persistent data. */
export async function startServiceProcess(dataFolder: string, port: number) {
	const url = `http://${host}:${port}`;
	const running = await startProcess({
		name: 'The form service',
		command: nodeCommand(process.execPath, main),
		env: {
			...process.env,
			PORT: String(port),
			HOST: host,
			BASE_URL: url,
			DATA: join(dataFolder, 'service.sqlite'),
		},
		logPath: join(dataFolder, 'service.log'),
		isReady: async () => await isListening(port),
	});
	return { ...running, url };
}

export async function readForms(serviceUrl: string): Promise<Form[]> {
	const made = await fetch(`${serviceUrl}/playground/tokens`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: '{}',
	});
	const { accessToken } = (await made.json()) as { accessToken: string };
	const headers = { authorization: `Bearer ${accessToken}` };
	const listed = await fetch(`${serviceUrl}/api/v1/forms?limit=100`, { headers });
	return ((await listed.json()) as { data: Form[] }).data;
}
