import assert from 'node:assert/strict';
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../kit/eventually.mts';
import type { Cluster, Role } from '../kit/queue-mode.mts';
import { env } from './deployment.mts';
import type { Soaked } from './soaked-trigger.mts';

export const SHORTEST_PAUSE_MS = 5_000;
export const PAUSE_MS = 35_000;
const CUT_OFF_MS = 15_000;

/** Leaves no more responses undelivered than the API shows, but for what the service still holds. */
export type Fault = () => Promise<void>;

export async function restart({ rig, submitUpTo }: Soaked, most: number) {
	await rig.restart({ whileDown: async () => await submitUpTo(most) });
}

export async function kill({ rig, submitUpTo, noteKill }: Soaked, most: number) {
	const from = Date.now();
	const whileDown = async () => {
		noteKill(from);
		await submitUpTo(most);
	};
	await rig.restart({ crash: true, whileDown });
}

export function ofN8n(soaked: Soaked): Record<string, Fault> {
	const { rig, workflow, draw, submitUpTo, publish, hooks } = soaked;
	const { service } = rig;
	return {
		'n8n killed': async () => await kill(soaked, 20),

		'n8n killed while responses run': async () => {
			await submitUpTo(10);
			await sleep(draw.below(1_000));
			await kill(soaked, 10);
		},

		'n8n restarted while responses arrive': async () => {
			await submitUpTo(8);
			await restart(soaked, 8);
		},

		'n8n killed while it subscribes': async () => {
			await rig.n8n.unpublish(workflow.id);
			void rig.n8n.publish(workflow.id).catch(() => {});
			await sleep(draw.below(400));
			await kill(soaked, 10);
			await publish();
		},

		'n8n paused': async () => {
			const pausing = rig.instance.pause(SHORTEST_PAUSE_MS + draw.below(PAUSE_MS));
			await submitUpTo(10);
			await pausing;
		},

		'n8n started elsewhere, and here again': async () => {
			const there = `${rig.instance.url.replace('localhost', '127.0.0.1')}/`;
			const whileDown = async () => await submitUpTo(8);
			await rig.restart({ env: { ...env, WEBHOOK_URL: there }, whileDown });
			await submitUpTo(10);
			await soaked.allRan();
			// A hook that another one followed brings what services hold for four days.
			const before = await hooks();
			await rig.restart({ whileDown });
			const isNew = ({ id }: { id: string }) => before.every((one) => one.id !== id);
			await eventually(async () => assert.ok((await hooks()).some(isNew)), 60_000);
			// What is for another address may be in use there.
			const atThere = (await service.hooks()).filter(({ targetUrl }) =>
				targetUrl.startsWith(there),
			);
			for (const { id } of [...atThere, ...before]) await service.loseHook(id);
		},
	};
}

/** n8n reloads what has changed when told so, as an update of the package does while triggers run. */
async function reloadCode({ rig }: Soaked) {
	await rig.restart({ env: { ...env, N8N_DEV_RELOAD: 'true' } });
	const { logPath } = rig.instance;
	const reloads = () => readFileSync(logPath, 'utf8').split('Hot reload triggered').length;
	const before = reloads();
	const file = join(rig.packageFolder, 'dist', 'nodes', 'shared.js');
	await eventually(async () => {
		utimesSync(file, new Date(), new Date());
		await sleep(1_000);
		assert.ok(reloads() > before, 'n8n does not reload the package');
	});
}

/** Only where n8n is one process it watches its files. */
const ofCode = (soaked: Soaked): Record<string, Fault> => ({
	'code reloaded': async () => {
		await reloadCode(soaked);
		await soaked.submitUpTo(10);
		await soaked.draw.oneOf([soaked.rePublish, soaked.publishOption])();
		await soaked.submitUpTo(10);
	},
});

/** One process ends and starts again, while the others go on. */
function inQueueMode(
	{ draw, submitUpTo, noteKill }: Soaked,
	cluster: Cluster,
): Record<string, Fault> {
	const killed = (roles: Role[]) => async () => {
		const role = draw.oneOf(roles);
		await submitUpTo(10);
		await sleep(draw.below(1_000));
		const from = Date.now();
		await cluster.killOne(role);
		if (role.startsWith('worker')) noteKill(from);
		await submitUpTo(10);
		await cluster.startOne(role);
	};
	const paused =
		(which: Parameters<Cluster['pauseOne']>[0], shortestMs: number, longerMs = 0) =>
		async () => {
			const pausing = cluster.pauseOne(which, shortestMs + draw.below(longerMs));
			await submitUpTo(20);
			await pausing;
		};
	return {
		'a worker paused': paused('worker', SHORTEST_PAUSE_MS, PAUSE_MS),
		'a webhook process paused': paused('webhook1', SHORTEST_PAUSE_MS, PAUSE_MS),
		'the database cut off': paused('postgres', CUT_OFF_MS),
		'Redis cut off': paused('redis', CUT_OFF_MS),
		'main killed': killed(['main']),
		'a worker killed': killed(['worker', 'worker2']),
		'a webhook process killed': killed(['webhook1', 'webhook2']),
	};
}

export const ofProcesses = (soaked: Soaked) =>
	soaked.cluster ? inQueueMode(soaked, soaked.cluster) : ofCode(soaked);
