import { openStage } from '../../live/stage.mts';
import { installPeers } from '../peers/install.mts';
import { startServiceProcess } from './service.mts';

/** A real n8n with the package and the peers, and the form service, each a process of its own. */
export async function openBenchStage(start?: Parameters<typeof openStage>[1]) {
	let peersFolder = '';
	const alsoInstall = (userFolder: string) => void (peersFolder = installPeers(userFolder));
	const stage = await openStage({ alsoInstall, startService: startServiceProcess }, start);
	return { ...stage, url: stage.instance.url, peersFolder };
}

export type Stage = Awaited<ReturnType<typeof openBenchStage>>;
