import type { ActivationEngine } from '../../../playground/n8n/environment.mts';
import { startCopy } from '../kit/copied-n8n.mts';
import { openQueueMode } from '../kit/queue-mode.mts';
import { openRig } from '../kit/real-n8n.mts';

/** How long n8n waits for a process that was killed while it published; 120 by default. */
export const env = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '60' };

/**
 * The trigger looks each minute, however quiet the form was, and doubts its hook soon, though not before the next look
 * has told: waiting would be most of a soak.
 */
const timing = { shortestPaceMs: 1_000, longestPaceMs: 1_000, doubtMs: 100_000 };

async function openInQueueMode() {
	const rig = await openQueueMode({ timing, env });
	const { cluster, close } = rig;
	const { startCopy, logPaths } = cluster;
	return { rig, cluster, startCopy, logPaths, close };
}

const openSingle = (engine: ActivationEngine) => async () => {
	const options = { engine, env, timing };
	const rig = await openRig(options);
	const copies: Array<Awaited<ReturnType<typeof startCopy>>> = [];
	return {
		rig,
		cluster: undefined,
		/** A second n8n at an address of its own, with a copy of the database. */
		async startCopy() {
			const copy = await startCopy(rig.userFolder, options);
			copies.push(copy);
			return copy;
		},
		logPaths: () => [rig.instance, ...copies].map(({ logPath }) => logPath),
		async close() {
			await rig.close();
			for (const copy of copies) await copy.remove();
		},
	};
};

/** A real n8n with the package, in each of the ways that people deploy it. */
const open = {
	publication: openSingle('publication'),
	activeWorkflowManager: openSingle('activeWorkflowManager'),
	queue: openInQueueMode,
};

export type DeploymentName = keyof typeof open;
export const deployments = Object.keys(open) as DeploymentName[];
export const openDeployment = async (name: DeploymentName) => await open[name]();
export type Deployment = Awaited<ReturnType<typeof openDeployment>>;
