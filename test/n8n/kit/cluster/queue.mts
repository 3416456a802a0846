import { openStage } from '../stage.mts';
import { openCluster, type ClusterOptions } from './cluster.mts';

/** A real n8n in queue mode, with the form service. */
export async function openQueue(options: ClusterOptions = {}, env?: Record<string, string>) {
	const cluster = await openCluster(options);
	const stage = await openStage({ env }, cluster.start).catch(async (error) => {
		await cluster.close();
		throw error;
	});
	const close = async () => {
		await stage.close();
		await cluster.close();
	};
	return { cluster, stage, close };
}

export type Queue = Awaited<ReturnType<typeof openQueue>>;
