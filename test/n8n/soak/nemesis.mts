import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../../playground/service/settings.mts';
import { eventually } from '../kit/eventually.mts';
import {
	type Fault,
	ofN8n,
	ofProcesses,
	kill,
	PAUSE_MS,
	restart,
	SHORTEST_PAUSE_MS,
} from './process-faults.mts';
import type { Soaked } from './soaked-trigger.mts';

const SHORTEST_DELAY_MS = 10_000;
const LONGER_DELAY_MS = 190_000;
/** For an hour. */
const RETRIES_SECONDS = [5, 10, 20, 40, ...Array<number>(59).fill(60)];

/** n8n tries to publish five times within about 20 seconds. */
const LONGER_THAN_N8N_TRIES_MS = 35_000;

/** A hook goes 10 seconds after n8n has unpublished. */
const UNPUBLISHED_MS = 60_000;

const toHooks = { path: '/hooks' };
const unavailable = { kind: 'status', status: 503 } as const;

function ofRuns(soaked: Soaked): Record<string, Fault> {
	const { rig, workflow, draw, submitUpTo, rePublish } = soaked;
	const { service } = rig;
	const withTimeout = async (executionTimeout: number) => {
		await rig.n8n.updateWorkflow(workflow.id, { settings: { executionTimeout } });
		await rePublish();
	};
	return {
		'the token server is slow, n8n killed': async () => {
			const ms = SHORTEST_PAUSE_MS + draw.below(PAUSE_MS);
			const match = { path: '^/oauth/token$' };
			await service.addFault({ match, kind: 'delay', ms, times: null });
			await service.expireTokens();
			await kill(soaked, 10);
			await submitUpTo(10);
		},

		'a workflow timeout of 3 seconds, n8n killed': async () => {
			await withTimeout(3);
			await submitUpTo(10);
			await kill(soaked, 10);
			await soaked.allRan();
			await withTimeout(-1);
		},

		'static data wiped by a run': async () => {
			await soaked.wipeStaticData();
			await soaked.allRan();
			await submitUpTo(20);
			await draw.oneOf([kill, async () => await submitUpTo(5)])(soaked, 5);
		},
	};
}

function ofPublishing(soaked: Soaked): Record<string, Fault> {
	const { rig, workflow, draw, submitUpTo, hooks, publish, rePublish } = soaked;
	const { service } = rig;
	return {
		'published again': rePublish,

		'published again while the service resets connections': async () => {
			await service.addFault({ match: toHooks, kind: 'reset', times: draw.upTo(2) });
			await rePublish();
		},

		'published again while the service fails': async () => {
			const times = draw.upTo(2);
			for (const match of [toHooks, { path: '/responses' }]) {
				await service.addFault({ match, ...unavailable, times });
			}
			await rePublish();
		},

		'published again, and the answer lost': async () => {
			await rig.n8n.unpublish(workflow.id);
			await eventually(async () => assert.deepEqual(await hooks(), []), UNPUBLISHED_MS);
			await service.addFault({ match: { method: 'POST', ...toHooks }, kind: 'lostReply' });
			await submitUpTo(10);
			await publish();
		},
	};
}

function ofHooks(soaked: Soaked): Record<string, Fault> {
	const { rig, draw, submitUpTo, hooks, loseHooks } = soaked;
	const { service } = rig;
	return {
		'hook lost, n8n restarted': async () => {
			await loseHooks();
			await submitUpTo(20);
			await rig.restart();
		},

		'hook lost': loseHooks,

		'subscriptions refused around a restart for longer than n8n tries': async () => {
			const before = await hooks();
			const match = { method: 'POST', ...toHooks };
			await service.addFault({ match, ...unavailable, times: null });
			await draw.oneOf([kill, restart])(soaked, 10);
			await sleep(LONGER_THAN_N8N_TRIES_MS);
			await submitUpTo(10);
			assert.deepEqual(await hooks(), before, 'a start changed the hook');
		},

		'database copied, the copy started elsewhere': async () => {
			const before = await hooks();
			const copy = await soaked.startCopy();
			const hooksOfCopy = async () =>
				(await service.hooks()).filter(({ targetUrl }) => targetUrl.startsWith(`${copy.url}/`));
			await eventually(async () => assert.notDeepEqual(await hooksOfCopy(), []), 60_000);
			await submitUpTo(20);
			await sleep(draw.below(8_000));
			await copy.kill();
			assert.deepEqual(await hooks(), before, 'the copy took the hook away');
			// What a copy leaves behind is removed by hand.
			for (const { id } of await hooksOfCopy()) await service.loseHook(id);
		},
	};
}

/** More than the API shows waits at the service meanwhile. */
function ofService(soaked: Soaked): Record<string, Fault> {
	const { draw, submitUpTo, publishOption } = soaked;
	const { service } = soaked.rig;
	/** What is completed meanwhile is delivered so; what comes afterwards, at once. */
	const during = async (settings: Partial<Settings>, act: () => Promise<void>) => {
		await service.settings(settings);
		await act();
		await service.settings({ deliveryDelayMs: 0, deliveryRetriesSeconds: [] });
	};
	return {
		'the service delivers late, in bursts': async () => {
			const deliveryDelayMs = Math.round(SHORTEST_DELAY_MS + draw.below(LONGER_DELAY_MS));
			await during({ deliveryDelayMs }, async () => {
				for (let burst = draw.upTo(3); burst > 0; burst--) {
					await submitUpTo(40);
					await sleep(draw.below(deliveryDelayMs / 2));
				}
			});
		},

		'n8n killed, and the service tries again for an hour': async () =>
			await during({ deliveryRetriesSeconds: RETRIES_SECONDS }, async () => await kill(soaked, 60)),

		'an option published while deliveries wait': async () => {
			const deliveryDelayMs = Math.round(SHORTEST_DELAY_MS + draw.below(SHORTEST_DELAY_MS));
			await during({ deliveryDelayMs }, async () => {
				await submitUpTo(40);
				for (let publications = draw.upTo(3); publications > 0; publications--) {
					await publishOption();
				}
			});
		},
	};
}

/** A seed draws by this order. */
export const faultsFor = (soaked: Soaked): Record<string, Fault> => ({
	...ofN8n(soaked),
	...ofRuns(soaked),
	...ofPublishing(soaked),
	...ofHooks(soaked),
	...ofService(soaked),
	...ofProcesses(soaked),
});
