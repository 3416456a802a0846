import type { IDataObject } from 'n8n-workflow';
import { startClock } from '../../../../kit/clock';
import { execute, type Runnable } from '../../../../kit/execute';
import { fakeService } from '../../../../kit/formService';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import { emptyStores } from '../../../../kit/processedStore';
import type { Stored } from '../../../../kit/workflow';
import { aWorkflow, inAnotherProcess, trigger } from '../trigger.fixture';

/** The trigger node in a published workflow, and all that it works with, as new. */
export function aNode(own: Partial<Stored> = {}) {
	const clock = startClock();
	emptyStores();
	const service = fakeService();
	const logs = keepLogs(trigger);
	let stored = aWorkflow({}, own);

	/** As a delivery or recovery starts it, unless told otherwise; it may fail. */
	const start = async (
		items: IDataObject[],
		parameters: object = {},
		how: Partial<Runnable> = {},
	) =>
		await execute({
			...{ ...stored, mode: 'webhook', items, ...how },
			parameters: { ...stored.parameters, ...parameters },
		});

	async function runOf(...run: Parameters<typeof start>) {
		const { error, ...rest } = await start(...run);
		expect(error).toBeUndefined();
		return rest;
	}

	return {
		clock,
		service,
		start,
		runOf,
		/** The output of runs with an item each. */
		async run(items: IDataObject[], ...how: [object?, Partial<Runnable>?]) {
			const outputs = [];
			for (const item of items) outputs.push(...(await runOf([item], ...how)).items);
			return outputs;
		},
		/** n8n is started again: what its processes had in memory is gone. */
		restart: () => void (stored = inAnotherProcess(stored)),
		warnings: () => warningsIn(logs),
	};
}
