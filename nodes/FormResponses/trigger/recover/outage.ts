import type { ITriggerFunctions } from 'n8n-workflow';
import { timing } from '../timing';
import { tellFailure } from './failure';

const DESCRIPTION =
	'The workflow stays published, and the trigger keeps trying. This is told once until it works again.';

/**
 * Reports a lasting failure: once in n8n's log when it begins, and once as a failed execution when it lasts.
 *
 * @param what completes "could not": `read the latest responses`
 */
export function createOutage(context: ITriggerFunctions, what: string) {
	const node = context.getNode();
	let since: number | undefined;
	let isReported = false;
	return {
		failed({ message }: Error) {
			const now = performance.now();
			if (since === undefined) {
				since = now;
				context.logger.warn(`"${node.name}" could not ${what} and tries again: ${message}`);
			}
			if (isReported || now - since < timing.silenceMs) return;
			isReported = true;
			const minutes = Math.max(1, Math.round((now - since) / 60_000));
			const told = `"${node.name}" could not ${what} for ${minutes} minutes: ${message}`;
			tellFailure(context, told, DESCRIPTION);
		},
		worked() {
			if (isReported) context.logger.info(`"${node.name}" could ${what} again.`);
			since = undefined;
			isReported = false;
		},
	};
}

export type Outage = ReturnType<typeof createOutage>;
