import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../playground/ports.mts';
import {
	type FormService,
	type Hook,
	startFormService,
} from '../../../playground/service/client.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { type PublishedTrigger, workingTriggers } from '../kit/published-trigger.mts';
import { describeRestarts } from '../kit/shared-restarts.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const timing = { silenceMs: 75 * SECOND, longestPaceMs: MINUTE, longestRetryMs: MINUTE / 2 };
const SHORT_OUTAGE_MS = 45 * SECOND;
const TOLD_MS = timing.silenceMs + 2 * MINUTE;
const LOOKED_MS = 2 * MINUTE;

/** A service there is remote, and cannot reach an n8n at localhost. */
const ownAddress = Object.values(networkInterfaces())
	.flatMap((addresses) => addresses ?? [])
	.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

interface Trouble {
	/** What is wrong when n8n starts at the other address. */
	says: string;
	/** Of the service. */
	host?: string;
	workflows?: number;
	begin?: (service: FormService) => Promise<unknown>;
	/** Undefined where only another start of n8n mends it. */
	mend?: (service: FormService) => Promise<unknown>;
	/** The trigger can look meanwhile. */
	looks?: boolean;
	/** What the failed execution says; undefined where the trouble is too short for one. */
	told?: RegExp;
}

const outage = {
	begin: async ({ addFault }: FormService) =>
		await addFault({ kind: 'status', status: 503, times: null }),
	mend: async ({ clearFaults }: FormService) => await clearFaults(),
};

const troubles: Trouble[] = [
	{ says: 'the service fails for 45 s', ...outage },
	{ says: 'the service fails for long', ...outage, told: /503/ },
	{
		says: 'the hooks of the first address use up the allowance',
		workflows: 2,
		begin: async ({ settings }) => await settings({ maxHooks: 2 }),
		mend: async ({ hooks, loseHook }) => {
			for (const { id } of await hooks()) await loseHook(id);
		},
		looks: true,
		told: /too many/i,
	},
	{
		says: 'the service cannot reach it there, without WEBHOOK_URL',
		host: ownAddress,
		looks: true,
		told: /WEBHOOK_URL/,
	},
];

/** Where n8n listens first; nobody does afterwards. */
async function firstAddress() {
	const port = await freePort();
	const env = { N8N_LISTEN_ADDRESS: '0.0.0.0', WEBHOOK_URL: `http://${ownAddress}:${port}/` };
	return { port, env };
}

const envs = [{ N8N_LISTEN_ADDRESS: '127.0.0.1', WEBHOOK_URL: '' }];

const skip = needsOwnN8n || (!ownAddress && 'this machine has no address but its loopback');

describeEngines(
	'n8n starts at another address, and back at the first',
	{ timing, prepare: firstAddress, skip },
	(rig) => {
		/** Beside its other hooks, which are left alone. */
		async function getsHookHere(trigger: PublishedTrigger) {
			const others = await trigger.hooks();
			const isOther = ({ targetUrl }: Hook) => !targetUrl.startsWith(rig.instance.url);
			const check = async () => {
				const hooks = await trigger.hooks();
				assert.deepEqual(hooks.filter(isOther), others);
				assert.equal(hooks.length, others.length + 1);
			};
			await eventually(check, 2 * MINUTE, SECOND);
		}

		describeRestarts('side by side', rig, { crash: true, envs }, (it) => {
			for (const { says, host, workflows = 1, begin, mend, looks, told } of troubles) {
				it(says, async (restart) => {
					const start = async () => await startFormService(0, host);
					const connection = await rig.openService(start);
					const { service } = connection;
					const all = await workingTriggers(rig, connection, workflows);
					const before = await service.hooks();

					await restart(async () => {
						await begin?.(service);
						await all(async ({ complete }) => await complete());
					});
					if (looks) await all(async ({ ranAll }) => await ranAll(LOOKED_MS));
					await all(async ({ complete }) => await complete());
					if (looks) await all(async ({ ranAll }) => await ranAll(LOOKED_MS));
					else await sleep(SHORT_OUTAGE_MS);
					await all(async ({ isPublished }) => await isPublished());
					assert.deepEqual(await service.hooks(), before);
					if (told) await all(async ({ failure }) => assert.match(await failure(TOLD_MS), told));

					if (mend) {
						await mend(service);
						await all(getsHookHere);
						await all(async ({ isDelivered }) => await isDelivered());
					}
					await restart(async () => await service.settings({ maxHooks: 20 }));
					await all(async (trigger) => await trigger.hasLooked());
					await all(async ({ isDelivered }) => await isDelivered());
					await all(async ({ failed }) => assert.equal((await failed()).length, told ? 1 : 0));
				});
			}
		});
	},
);
