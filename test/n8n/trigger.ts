import { TriggerContext } from 'n8n-core';
import type { CronExpression, IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import type { Stored } from './workflow';
import { install } from './workflow';

export interface StartedTrigger {
	/** The items of each run that the trigger started. */
	runs: IDataObject[][];
	/** When the trigger asked n8n to be called. */
	crons: CronExpression[];
	/** Lets n8n's clock reach the next of these times. */
	tick(): void;
	close(): Promise<void>;
}

/** Calls `trigger()` as n8n does on activation and at its start. */
export async function startTrigger(
	stored: Stored,
	mode: WorkflowExecuteMode = 'trigger',
): Promise<StartedTrigger> {
	const { workflow, node, additionalData } = install(stored);
	const runs: IDataObject[][] = [];
	const crons: CronExpression[] = [];
	const onTicks: Array<(at: Date) => void> = [];
	const context = new TriggerContext(
		workflow,
		node,
		additionalData,
		mode,
		'activate',
		(data) => runs.push(data[0].map(({ json }) => json)),
		undefined,
		undefined,
		{
			registerCron({ expression }, onTick) {
				crons.push(expression);
				onTicks.push(onTick);
			},
		},
	);
	const response = await stored.type.trigger!.call(context);
	return {
		runs,
		crons,
		tick: () => onTicks.forEach((onTick) => onTick(new Date())),
		close: async () => await response?.closeFunction?.(),
	};
}
