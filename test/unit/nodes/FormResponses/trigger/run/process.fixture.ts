import type * as Duplicates from '../../../../../../nodes/FormResponses/trigger/run/duplicates';
import type * as Marks from '../../../../../../nodes/FormResponses/trigger/run/storedMarks';
import {
	addTrigger,
	emptyMemory,
} from '../../../../../../nodes/FormResponses/trigger/state/memory';
import { inNewProcess } from '../../../../kit/inNewProcess';

/** A process of n8n: its calls of the store wait for each other. All processes have the store in common. */
export function aProcess({ hasTrigger = false } = {}) {
	const path = '../../../../../../nodes/FormResponses/trigger';
	const code = inNewProcess(() => ({
		...jest.requireActual<typeof Duplicates>(`${path}/run/duplicates`),
		...jest.requireActual<typeof Marks>(`${path}/run/storedMarks`),
	}));
	const memory = emptyMemory();
	if (hasTrigger) addTrigger(memory);
	return { ...code, memory };
}
