import type { IExecuteFunctions } from 'n8n-workflow';
import type * as Known from '../../../../../nodes/FormResponses/trigger/state/known';
import type * as Claim from '../../../../../nodes/FormResponses/trigger/run/claim';
import type * as Marks from '../../../../../nodes/FormResponses/trigger/run/marks';
import type * as Triggers from '../../../../../nodes/FormResponses/trigger/state/triggers';
import { identityOf } from '../../../../../nodes/FormResponses/trigger/state/identity';
import { inRun } from '../../../../in-process/probe';
import { inNewProcess } from '../../../../in-process/process';

/** A process of n8n that runs the trigger; all have the store in common. */
export function aProcess({ hasTrigger = false } = {}) {
	const path = '../../../../../nodes/FormResponses/trigger';
	const code = inNewProcess(() => ({
		...jest.requireActual<typeof Claim>(`${path}/run/claim`),
		...jest.requireActual<typeof Known>(`${path}/state/known`),
		...jest.requireActual<typeof Marks>(`${path}/run/marks`),
		...jest.requireActual<typeof Triggers>(`${path}/state/triggers`),
	}));
	let isStarted = !hasTrigger;
	return {
		code,
		inRun: async <Result>(work: (context: IExecuteFunctions) => Promise<Result>) =>
			await inRun(async (context) => {
				if (!isStarted) code.addTrigger(identityOf(context));
				isStarted = true;
				return await work(context);
			}),
	};
}
