import type { ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { timing } from '../timing';

const minutes = (ms: number) => Math.max(1, Math.round(ms / 60_000));

/**
 * Reports a lasting failure: once in n8n's log when it begins, and once as a failed execution when it lasts,
 * which triggers n8n's error workflow.
 *
 * @param what completes "could not": `read the latest responses`
 */
export function createOutage(context: ITriggerFunctions, what: string) {
	let since: number | undefined;
	let isReported = false;
	const name = () => `"${context.getNode().name}"`;

	function report(error: Error, lastedMs: number) {
		isReported = true;
		const failure = new NodeOperationError(
			context.getNode(),
			`${name()} could not ${what} for ${minutes(lastedMs)} minutes: ${error.message}`,
			{
				description:
					'The workflow is still published, and the trigger goes on trying by itself. This is told once until it works again.',
			},
		);
		context.logger.error(failure.message);
		// n8n before 2.33 cannot record a failure without ending the trigger.
		context.saveFailedExecution?.(failure);
	}

	return {
		failed(error: Error) {
			if (since === undefined) {
				since = performance.now();
				context.logger.warn(`${name()} could not ${what} and tries again: ${error.message}`);
			}
			const lastedMs = performance.now() - since;
			if (!isReported && lastedMs >= timing.silenceMs) report(error, lastedMs);
		},
		worked() {
			if (isReported) context.logger.info(`${name()} could ${what} again.`);
			since = undefined;
			isReported = false;
		},
	};
}
