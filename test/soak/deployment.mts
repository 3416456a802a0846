import type { ActivationEngine } from '../../playground/n8n/environment.mts';
import type { N8nInstance } from '../../playground/n8n/instance.mts';
import { openCluster } from '../live/cluster/cluster.mts';
import type { Cluster } from '../live/cluster/cluster.mts';
import { startCopy } from '../live/copied-n8n.mts';
import { openStage } from '../live/stage.mts';
import type { Stage } from '../live/stage.mts';

export const deployments = ['publication', 'activeWorkflowManager', 'queue'] as const;
export type DeploymentName = (typeof deployments)[number];

export interface Deployment {
	stage: Stage;
	/** Only in queue mode. */
	cluster?: Cluster;
	/** A second n8n at an address of its own, with a copy of the database. */
	startCopy(): Promise<N8nInstance>;
	logPaths(): string[];
	close(): Promise<void>;
}

/** How long n8n waits for a process that was killed while it published; 120 by default. */
const env = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '60' };

/** The trigger looks each minute, however quiet the form was: waiting for looks would be most of a soak. */
const timing = { shortestPaceMs: 1_000, longestPaceMs: 1_000 };

async function openQueue(): Promise<Deployment> {
	const cluster = await openCluster({ timing });
	const stage = await openStage({ env }, cluster.start).catch(async (error) => {
		await cluster.close();
		throw error;
	});
	return {
		stage,
		cluster,
		startCopy: cluster.startCopy,
		logPaths: cluster.logPaths,
		async close() {
			await stage.close();
			await cluster.close();
		},
	};
}

async function openSingle(engine: ActivationEngine): Promise<Deployment> {
	const stage = await openStage({ engine, env, timing });
	const copies: Array<Awaited<ReturnType<typeof startCopy>>> = [];
	return {
		stage,
		async startCopy() {
			const copy = await startCopy(stage.userFolder, { engine, env, timing });
			copies.push(copy);
			return copy;
		},
		logPaths: () => [stage.instance, ...copies].map(({ logPath }) => logPath),
		async close() {
			await stage.close();
			for (const copy of copies) await copy.remove();
		},
	};
}

/** A real n8n with the package, deployed in one of the ways that people deploy it. */
export async function openDeployment(name: DeploymentName): Promise<Deployment> {
	return name === 'queue' ? await openQueue() : await openSingle(name);
}
