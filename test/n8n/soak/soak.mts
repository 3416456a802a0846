import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../kit/eventually.mts';
import { seeded } from './random-draws.mts';
import { openDeployment, type DeploymentName } from './deployment.mts';
import { faultsFor } from './nemesis.mts';
import { openWorld, type World } from './soaked-trigger.mts';

const RESPONSES_PER_FAULT = 125;
/** Later responses hide the earlier ones from the look that follows a start, so often they wait for it. */
const LONGEST_PAUSE_MS = 10_000;
/** A run that n8n did not survive is repeated no later than this. */
const QUIET_MS = 60_000;
const DOUBT_MS = 15_000;

interface Soak {
	deployment: DeploymentName;
	seed: number;
	responses: number;
	show: (progress: string) => void;
}

/** A hook is doubted once a look has brought what it did not. */
async function isSubscribed(world: World) {
	while ((await world.hooks()).length === 0 && !world.isComplete()) {
		await world.submitUpTo(10);
		await world.allRan();
		await sleep(DOUBT_MS);
	}
}

async function disturb(world: World, { responses, show }: Soak, rounds: number) {
	const faults = faultsFor(world);
	const names = Object.keys(faults);
	await world.publish();
	for (let round = 1; round <= rounds; round++) {
		const name = world.draw.oneOf(names);
		show(`fault ${round} of ${rounds}: ${name}`);
		await faults[name]!();
		await world.rig.service.clearFaults();
		await world.allRan();
		await isSubscribed(world);
		await sleep(world.draw.below(LONGEST_PAUSE_MS));
		while (world.ledger.count < Math.floor(((responses - 1) * round) / rounds)) {
			await world.submit();
			await world.allRan();
		}
		show(`  ${world.ledger.count} of ${responses} completed`);
	}
	await sleep(QUIET_MS);
	// What is superfluous goes when it delivers; a lost hook shows at the next look.
	await world.ledger.submit(1);
	await world.allRan();
	await eventually(async () => assert.equal((await world.hooks()).length, 1), 5 * QUIET_MS);
}

/** Responses through faults drawn by a seed; then all that was completed is compared with all that was put out. */
export async function soak(options: Soak) {
	const { seed, responses, show } = options;
	const startedAt = Date.now();
	const deployment = await openDeployment(options.deployment);
	try {
		const world = await openWorld(deployment, seeded(seed), responses - 1);
		const faults = Math.max(1, Math.round(responses / RESPONSES_PER_FAULT));
		/** What ended the soak early; empty when nothing did. */
		const problem = await disturb(world, options, faults).then(
			() => '',
			({ message }: Error) => message,
		);
		const { lost, twice } = await world.ledger.balance();
		/** How many responses the Webhook node beside it did not get. */
		const got = (await world.webhook.ran()).map(({ responseId }) => responseId);
		const lostByWebhook = world.ledger.missingIn(got).length;
		/** Responses that ran again because n8n was killed as their run ended: a limit of the trigger. */
		const unrecorded = await world.ledger.unrecorded();
		const hooks = (await world.hooks()).length;
		const seconds = Math.round((Date.now() - startedAt) / 1_000);
		const isGood = lost.length + twice.length === 0 && hooks === 1 && problem === '';
		if (!isGood) {
			const folder = join(tmpdir(), 'form-responses-soak', `${options.deployment}-${seed}`);
			for (const path of deployment.logPaths()) cpSync(path, join(folder, basename(dirname(path))));
			show(`n8n's logs: ${folder}`);
		}
		const completed = world.ledger.count;
		return {
			seed,
			completed,
			faults,
			lost,
			lostByWebhook,
			twice,
			unrecorded,
			hooks,
			seconds,
			problem,
			isGood,
		};
	} finally {
		await deployment.close();
	}
}
