import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../kit/eventually.mts';
import { drawFrom } from './random-draws.mts';
import { openDeployment, type DeploymentName } from './deployment.mts';
import { faultsFor } from './nemesis.mts';
import { openSoaked, type Soaked } from './soaked-trigger.mts';

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
async function isSubscribed(soaked: Soaked) {
	while ((await soaked.hooks()).length === 0 && !soaked.isComplete()) {
		await soaked.submitUpTo(10);
		await soaked.allRan();
		await sleep(DOUBT_MS);
	}
}

async function disturb(soaked: Soaked, { responses, show }: Soak, rounds: number) {
	const faults = faultsFor(soaked);
	const names = Object.keys(faults);
	await soaked.publish();
	for (let round = 1; round <= rounds; round++) {
		const name = soaked.draw.oneOf(names);
		show(`fault ${round} of ${rounds}: ${name}`);
		await faults[name]!();
		await soaked.rig.service.clearFaults();
		await soaked.allRan();
		await isSubscribed(soaked);
		await sleep(soaked.draw.below(LONGEST_PAUSE_MS));
		while (soaked.made.length < Math.floor(((responses - 1) * round) / rounds)) {
			await soaked.submit();
			await soaked.allRan();
		}
		show(`  ${soaked.made.length} of ${responses} completed`);
	}
	await sleep(QUIET_MS);
	// What is superfluous goes when it delivers; a lost hook shows at the next look.
	await soaked.complete();
	await soaked.allRan();
	await eventually(async () => assert.equal((await soaked.hooks()).length, 1), 5 * QUIET_MS);
}

/** Responses through faults drawn by a seed; then all that was completed is compared with all that was put out. */
export async function soak(options: Soak) {
	const { seed, responses, show } = options;
	const startedAt = Date.now();
	const deployment = await openDeployment(options.deployment);
	try {
		const soaked = await openSoaked(deployment, drawFrom(seed), responses - 1);
		const faults = Math.max(1, Math.round(responses / RESPONSES_PER_FAULT));
		/** What ended the soak early; empty when nothing did. */
		const problem = await disturb(soaked, options, faults).then(
			() => '',
			({ message }: Error) => message,
		);
		const { lost, twice } = await soaked.lostOrTwice();
		/** How many responses the Webhook node beside it did not get. */
		const got = (await soaked.webhook.ran()).map(({ responseId }) => responseId);
		const lostByWebhook = soaked.made.filter(({ data }) => !got.includes(data.responseId)).length;
		/** Responses that ran again because n8n was killed as their run ended: a limit of the trigger. */
		const unrecorded = await soaked.unrecorded();
		const hooks = (await soaked.hooks()).length;
		const seconds = Math.round((Date.now() - startedAt) / 1_000);
		const isGood = lost.length + twice.length === 0 && hooks === 1 && problem === '';
		if (!isGood) {
			const folder = join(tmpdir(), 'form-responses-soak', `${options.deployment}-${seed}`);
			for (const path of deployment.logPaths()) cpSync(path, join(folder, basename(dirname(path))));
			show(`n8n's logs: ${folder}`);
		}
		const completed = soaked.made.length;
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
