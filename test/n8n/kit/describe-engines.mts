import { describe } from 'node:test';
import type { ActivationEngine } from '../../../playground/n8n/environment.mts';
import { activationEngines } from '../../../playground/n8n/version.mts';
import { needsOwnN8n } from './attached-n8n.mts';
import { useRig, type Rig, type RigOptions } from './real-n8n.mts';

interface Options extends RigOptions {
	/** A reason, or false. */
	skip?: string | false;
	/** Of the scenarios of one engine. The engines always run side by side. */
	concurrency?: boolean;
	/** What is known only when n8n starts. */
	prepare?: () => Promise<RigOptions>;
}

/** Runs the same scenarios in a rig for each way in which this n8n switches triggers on. */
export function describeEngines(
	name: string,
	{ skip = needsOwnN8n, concurrency = false, prepare, ...options }: Options,
	scenariosIn: (rig: Rig, engine: ActivationEngine) => void,
) {
	describe(name, { concurrency: true, skip }, () => {
		for (const engine of activationEngines()) {
			describe(`engine ${engine}`, { concurrency }, () => {
				const rig = useRig(async () => ({ ...options, ...(await prepare?.()), engine }));
				scenariosIn(rig, engine);
			});
		}
	});
}
