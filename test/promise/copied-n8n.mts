import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectN8n } from '../../playground/n8n/client.mts';
import type { ActivationEngine } from '../../playground/n8n/environment.mts';
import { installPackage } from '../../playground/n8n/install-package.mts';
import { startN8n } from '../../playground/n8n/instance.mts';
import { freePort } from '../../playground/n8n/ports.mts';

const DATABASE = join('.n8n', 'database.sqlite');

/** A backup of the data of an n8n that goes on running, started at another address. */
export async function startCopy(original: string, engine: ActivationEngine, host: string) {
	const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-copy-'));
	installPackage(userFolder);
	const database = new DatabaseSync(join(original, DATABASE));
	database.prepare('VACUUM INTO ?').run(join(userFolder, DATABASE));
	database.close();
	const port = await freePort();
	const webhookUrl = `http://${host}:${port}/`;
	const env = { WEBHOOK_URL: webhookUrl };
	const instance = await startN8n({ userFolder, engine, port, env });

	return {
		webhookUrl,
		n8n: await connectN8n(instance.url),
		log: async () => await readFile(instance.logPath, 'utf8'),
		async close() {
			await instance.stop();
			await rm(userFolder, { recursive: true, force: true });
		},
	};
}
