import { connectN8n, type N8nClient } from '../../../playground/n8n/client.mts';
import type { InstanceOptions, N8nInstance } from '../../../playground/n8n/instance.mts';
import { attached } from '../../../playground/n8n/version.mts';

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
	const n8n = await connectN8n(attached.url, attached.account);
	/** Removes what tests have made, the newest first. */
	const removals: Array<() => Promise<unknown>> = [];
	const client: N8nClient = {
		...n8n,
		async createWorkflow(draft) {
			const workflow = await n8n.createWorkflow(draft);
			removals.unshift(async () => await n8n.deleteWorkflow(workflow.id));
			return workflow;
		},
		async createCredential(draft) {
			const credential = await n8n.createCredential(draft);
			removals.unshift(async () => await n8n.deleteCredential(credential.id));
			return credential;
		},
	};
	return {
		url: attached.url,
		port: Number(new URL(attached.url).port),
		logPath: '',
		connect: async () => client,
		ended: new Promise(() => {}),
		kill: refuse,
		pause: refuse,
		async stop() {
			// What a test has removed itself is gone already.
			for (const remove of removals) await remove().catch(() => {});
		},
	};
}
