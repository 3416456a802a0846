import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../live/eventually.mts';
import { seeded } from '../live/seeded.mts';
import { openDeployment } from './deployment.mts';
import type { Deployment, DeploymentName } from './deployment.mts';
import { faultsFor } from './nemesis.mts';
import { openWorld } from './world.mts';
import type { World } from './world.mts';

const RESPONSES_PER_FAULT = 125;
/** Later responses hide the earlier ones from the look that follows a start, so often they wait for it. */
const LONGEST_PAUSE_MS = 10_000;
/** A run that n8n did not survive is repeated no later than this. */
const QUIET_MS = 30_000;

export interface Soak {
	deployment: DeploymentName;
	seed: number;
	responses: number;
	show: (progress: string) => void;
}

export interface Result {
	deployment: DeploymentName;
	seed: number;
	responses: number;
	faults: number;
	lost: string[];
	/** With the executions that put them out. */
	twice: Array<[string, string[]]>;
	/** Responses that ran again because n8n was killed as their run ended: a limit of the trigger. */
	unrecorded: number;
	hooks: number;
	seconds: number;
	/** What ended the soak early; empty when nothing did. */
	problem: string;
}

export const isGood = ({ lost, twice, hooks, problem }: Result) =>
	lost.length === 0 && twice.length === 0 && hooks === 1 && problem === '';

/** Where the logs of a soak that went wrong are kept. */
function keepLogs({ logPaths }: Deployment, { deployment, seed }: Soak): string {
	const folder = join(tmpdir(), 'form-responses-soak', `${deployment}-${seed}`);
	mkdirSync(folder, { recursive: true });
	for (const path of logPaths()) {
		copyFileSync(path, join(folder, `${basename(dirname(path))}.log`));
	}
	return folder;
}

/** @returns how many faults there were */
async function disturb(world: World, { responses, show }: Soak, count: () => void) {
	const faults = faultsFor(world);
	const names = Object.keys(faults);
	const rounds = Math.max(1, Math.round(responses / RESPONSES_PER_FAULT));
	await world.publish();
	for (let round = 1; round <= rounds; round++) {
		const name = world.draw.oneOf(names);
		const startedAt = Date.now();
		show(`fault ${round} of ${rounds}: ${name}`);
		count();
		await faults[name]!();
		await world.stage.service.clearFaults();
		await world.allRan();
		await world.isSubscribed();
		const seconds = Math.round((Date.now() - startedAt) / 1_000);
		await sleep(world.draw.below(LONGEST_PAUSE_MS));
		while (world.ledger.count < Math.floor(((responses - 1) * round) / rounds)) {
			await world.submit();
			await world.allRan();
		}
		const { twice } = await world.ledger.balance();
		show(`  ${seconds} s; ${world.ledger.count} of ${responses} completed, ${twice.length} twice`);
	}
	await sleep(QUIET_MS);
	// A hook that was replaced removes itself when it delivers.
	await world.ledger.submit(1);
	await world.allRan();
	await eventually(async () => assert.equal((await world.hooks()).length, 1), QUIET_MS);
}

/** Responses through faults drawn by a seed; then all that was completed is compared with all that was put out. */
export async function soak(options: Soak): Promise<Result> {
	const { deployment: name, seed, responses, show } = options;
	const startedAt = Date.now();
	const deployment = await openDeployment(name);
	try {
		const world = await openWorld({
			deployment,
			draw: seeded(seed),
			responses: responses - 1,
		});
		let faults = 0;
		let problem = '';
		try {
			await disturb(world, options, () => faults++);
		} catch (error) {
			problem = (error as Error).message;
		}
		const result: Result = {
			deployment: name,
			seed,
			responses: world.ledger.count,
			faults,
			...(await world.ledger.balance()),
			unrecorded: await world.ledger.unrecorded(),
			hooks: (await world.hooks()).length,
			seconds: Math.round((Date.now() - startedAt) / 1_000),
			problem,
		};
		if (!isGood(result)) show(`n8n's logs: ${keepLogs(deployment, options)}`);
		return result;
	} finally {
		await deployment.close();
	}
}
