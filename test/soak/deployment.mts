import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ActivationEngine } from '../../playground/n8n/environment.mts';
import { installPackage } from '../../playground/n8n/install-package.mts';
import { startN8n } from '../../playground/n8n/instance.mts';
import type { N8nInstance } from '../../playground/n8n/instance.mts';
import { openStage } from '../e2e/stage.mts';
import type { Stage } from '../e2e/stage.mts';
import { openCluster } from '../queue/cluster.mts';
import type { Cluster } from '../queue/cluster.mts';

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
	const copies: string[] = [];
	const databaseIn = (folder: string) => join(folder, '.n8n', 'database.sqlite');

	async function startCopy() {
		const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-copy-'));
		copies.push(userFolder);
		installPackage(userFolder, { timing });
		const database = new DatabaseSync(databaseIn(stage.userFolder));
		database.exec('PRAGMA busy_timeout = 10000');
		database.prepare('VACUUM INTO ?').run(databaseIn(userFolder));
		database.close();
		return await startN8n({ engine, env, userFolder });
	}

	return {
		stage,
		startCopy,
		logPaths: () => [stage.userFolder, ...copies].map((folder) => join(folder, 'n8n.log')),
		async close() {
			await stage.close();
			for (const copy of copies) await rm(copy, { recursive: true, force: true });
		},
	};
}

/** A real n8n with the package, deployed in one of the ways that people deploy it. */
export async function openDeployment(name: DeploymentName): Promise<Deployment> {
	return name === 'queue' ? await openQueue() : await openSingle(name);
}
