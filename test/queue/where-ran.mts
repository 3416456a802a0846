import assert from 'node:assert/strict';
import type { Cluster } from '../live/cluster/cluster.mts';
import { eventually } from '../live/eventually.mts';
import type { PublishedTrigger } from '../live/published-trigger.mts';

/** All processes may have to share two cores. */
export const PATIENCE_MS = 90_000;

/** Waits until n8n's logs say of every run of the trigger that a worker ran it, and who put it into the queue. */
export async function ranOnWorker(
	cluster: Cluster,
	{ executions }: Pick<PublishedTrigger, 'executions'>,
	enqueuedBy: RegExp,
) {
	for (const { id } of await executions()) {
		await eventually(async () => {
			const where = cluster.whereRan(id);
			assert.match(where.ranBy.join(), /^worker2?$/, `execution ${id}`);
			assert.match(where.enqueuedBy.join(), enqueuedBy, `execution ${id}`);
		});
	}
}
