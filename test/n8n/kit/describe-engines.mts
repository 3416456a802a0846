import { describe } from 'node:test';
import type { ActivationEngine } from '../../../playground/n8n/environment.mts';
import { activationEngines } from '../../../playground/n8n/version.mts';

interface Options {
	/** A reason, or false. */
	skip?: string | false;
	/** Of the scenarios of one engine. The engines always run side by side. */
	concurrency?: boolean;
}

/** Runs the same scenarios for each way in which this n8n switches triggers on. */
export function describeEngines(
	name: string,
	scenariosOf: (engine: ActivationEngine) => void,
	{ skip = false, concurrency = false }: Options = {},
) {
	describe(name, { concurrency: true, skip }, () => {
		for (const engine of activationEngines()) {
			describe(`engine ${engine}`, { concurrency }, () => scenariosOf(engine));
		}
	});
}
