import { join, resolve } from 'node:path';
import { nodeCommand, startProcess } from '../n8n/process.mts';
import type { Settings } from './settings.mts';

export interface Form {
	id: string;
	title: string;
}

const main = resolve(import.meta.dirname, '../service/main.mts');

const isReady = async (url: string) =>
	await fetch(`${url}/api/v1/openapi.json`).then(
		({ ok }) => ok,
		() => false,
	);

/** The form service in a process of its own, which keeps its data. */
export async function startServiceProcess({ dataFolder, servicePort }: Settings) {
	const url = `http://127.0.0.1:${servicePort}`;
	const running = await startProcess({
		name: 'The form service',
		command: nodeCommand(process.execPath, main),
		env: {
			...process.env,
			PORT: String(servicePort),
			HOST: '127.0.0.1',
			BASE_URL: url,
			DATA: join(dataFolder, 'service.sqlite'),
		},
		logPath: join(dataFolder, 'service.log'),
		isReady: async () => await isReady(url),
	});
	return { ...running, url };
}

async function json<T>(url: string, init?: RequestInit): Promise<T> {
	const answer = await fetch(url, init);
	if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
	return (await answer.json()) as T;
}

/** The newest forms of the service. */
export async function readForms(serviceUrl: string): Promise<Form[]> {
	const { accessToken } = await json<{ accessToken: string }>(`${serviceUrl}/playground/tokens`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ scope: 'forms:read', expiresInSeconds: 60 }),
	});
	const headers = { authorization: `Bearer ${accessToken}` };
	return (await json<{ data: Form[] }>(`${serviceUrl}/api/v1/forms?limit=100`, { headers })).data;
}
