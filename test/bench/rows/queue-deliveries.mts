import { openCluster } from '../../live/cluster/cluster.mts';
import { missingPrograms } from '../../live/cluster/programs.mts';
import { compareTriggers } from '../contestants/compare-triggers.mts';
import { installPeers } from '../peers/install.mts';
import type { Row } from '../row.mts';
import { openBenchStage } from '../stage/stage.mts';

export const queueDeliveries: Row = async (bench) => {
	const missing = missingPrograms();
	if (missing) throw new Error(missing);
	bench.show('starting Redis, PostgreSQL and five processes of n8n');
	const cluster = await openCluster({ alsoInstall: installPeers });
	try {
		const stage = await openBenchStage(cluster.start);
		const { how, ...compared } = await compareTriggers(stage, bench, 0.93);
		await stage.close();
		return {
			title: 'Deliveries per second in queue mode',
			how: `As above, in queue mode with two workers: n8n's main process, two that take webhooks in turn and two workers, with Redis and PostgreSQL, all on this one machine. ${how}`,
			...compared,
		};
	} finally {
		await cluster.close();
	}
};
