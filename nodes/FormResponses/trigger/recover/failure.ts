import type { ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** Tells of a failure by a failed execution, which triggers n8n's error workflow, and in n8n's log. */
export function tellFailure(
	context: ITriggerFunctions,
	message: string,
	description: string,
): void {
	const failure = new NodeOperationError(context.getNode(), message, { description });
	context.logger.error(failure.message);
	// n8n before 2.33 cannot record a failure without ending the trigger.
	context.saveFailedExecution?.(failure);
}
