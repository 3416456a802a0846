import type { N8nClient } from '../../playground/n8n/client.mts';
import type { InstanceOptions, N8nInstance } from '../../playground/n8n/instance.mts';
import { attached } from '../../playground/n8n/version.mts';

/** Why a test is skipped that has to start n8n itself; false where it does. */
export const needsOwnN8n =
	attached !== undefined &&
	`the n8n at ${attached.url} is not the test's own to restart, kill or set up`;

async function refuse(): Promise<never> {
	throw new Error(String(needsOwnN8n));
}

/** The n8n that N8N_URL names, which somebody else has started with the package installed. */
export async function attach({ timing, env, alsoInstall }: InstanceOptions): Promise<N8nInstance> {
	if (!attached || timing || env || alsoInstall) return await refuse();
	return {
		...attached,
		port: Number(new URL(attached.url).port),
		logPath: '',
		ended: new Promise(() => {}),
		stop: async () => {},
		kill: refuse,
	};
}

const made: Array<() => Promise<unknown>> = [];

/** Remembers what tests make in somebody else's n8n. */
export function remembering(n8n: N8nClient): N8nClient {
	return {
		...n8n,
		async createWorkflow(draft) {
			const workflow = await n8n.createWorkflow(draft);
			made.push(async () => await n8n.deleteWorkflow(workflow.id));
			return workflow;
		},
		async createCredential(draft) {
			const credential = await n8n.createCredential(draft);
			made.push(async () => await n8n.deleteCredential(credential.id));
			return credential;
		},
	};
}

/** Removes it, the newest first; what a test has removed itself is gone already. */
export async function clearAway() {
	for (const remove of made.reverse().splice(0)) await remove().catch(() => {});
}
