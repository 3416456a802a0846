import { openStage } from '../../live/stage.mts';
import { installPeers } from '../peers/install.mts';
import { startServiceProcess } from './service.mts';

/** A real n8n with the package and the peers, and the form service, each a process of its own. */
export async function openBenchStage(start?: Parameters<typeof openStage>[1]) {
	const options = { alsoInstall: installPeers, startService: startServiceProcess };
	const stage = await openStage(options, start);
	return { ...stage, url: stage.instance.url };
}

export type Stage = Awaited<ReturnType<typeof openBenchStage>>;
