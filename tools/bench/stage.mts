import { cpSync } from 'node:fs';
import { devNull } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort, isListening } from '../../playground/n8n/ports.mts';
import { nodeCommand, startProcess } from '../../playground/n8n/process.mts';
import { idsOf } from '../../test/n8n/kit/published-trigger.mts';
import { formServiceAt } from '../../playground/service/client.mts';
import { openRig, type Rig } from '../../test/n8n/kit/test-rig.mts';

export const PEERS = 'n8n-nodes-bench-peers';

const main = resolve(import.meta.dirname, '../../playground/service/main.mts');
const peers = resolve(import.meta.dirname, 'peers');

/** A form service in a process of its own, so that it takes no time of n8n's. */
async function startService() {
	const port = await freePort();
	const { stop } = await startProcess({
		name: 'The form service',
		command: nodeCommand(process.execPath, main),
		env: { ...process.env, PORT: String(port) },
		logPath: devNull,
		isReady: async () => await isListening(port),
	});
	return formServiceAt(`http://127.0.0.1:${port}`, stop);
}

/** Puts the peers where n8n finds community packages. */
const alsoInstall = (userFolder: string) =>
	cpSync(peers, join(userFolder, '.n8n/nodes/node_modules', PEERS), { recursive: true });

/** A real n8n with the package and the peers, and the form service. */
export const openBenchStage = async (start?: Parameters<typeof openRig>[1]) =>
	await openRig({ alsoInstall, startService, env: { NODE_OPTIONS: '--expose-gc' } }, start);

/** Responses with an answer for each label, to a form of their own, delivered to nobody; their IDs. */
export async function addResponses({ service }: Rig, count: number, labels?: string[]) {
	const fields = labels?.map((label) => ({ label }));
	const [form] = await service.addForms({ title: 'Feedback', fields });
	return idsOf(await service.addResponses(form.id, { count, deliver: false }));
}
