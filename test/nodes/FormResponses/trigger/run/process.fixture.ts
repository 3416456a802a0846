import type * as Known from '../../../../../nodes/FormResponses/trigger/state/known';
import type * as Claim from '../../../../../nodes/FormResponses/trigger/run/claim';
import type * as Marks from '../../../../../nodes/FormResponses/trigger/run/marks';
import type * as Triggers from '../../../../../nodes/FormResponses/trigger/state/triggers';
import { inNewProcess } from '../../../../in-process/process';

/** What `identityOf` gives for the node of `inRun`. */
export const NODE = 'workflow-1/node-1';

/** The code in a process of n8n; all have the store in common. */
export function aProcess({ hasTrigger = false } = {}) {
	const path = '../../../../../nodes/FormResponses/trigger';
	const code = inNewProcess(() => ({
		...jest.requireActual<typeof Claim>(`${path}/run/claim`),
		...jest.requireActual<typeof Known>(`${path}/state/known`),
		...jest.requireActual<typeof Marks>(`${path}/run/marks`),
		...jest.requireActual<typeof Triggers>(`${path}/state/triggers`),
	}));
	if (hasTrigger) code.addTrigger(NODE);
	return code;
}
