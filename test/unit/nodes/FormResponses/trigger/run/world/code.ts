import * as n8nWorkflow from 'n8n-workflow';
import type * as Emission from '../../../../../../../nodes/FormResponses/trigger/recover/emission';
import type * as Execute from '../../../../../../../nodes/FormResponses/trigger/run/execute';
import { inNewProcess } from '../../../../../kit/inNewProcess';

type Sleep = (ms: number) => Promise<void>;

const LATE = new n8nWorkflow.UnexpectedError('Late');

/** Stands in for the package's own, which counts real time. */
const limitBy = (sleep: Sleep) => async (ms: number, _: unknown, work: () => Promise<unknown>) => {
	const end = sleep(ms).then(() => Promise.reject(LATE));
	return await Promise.race(ms > 0 ? [work(), end] : [end]);
};

/** The package's code as a process loads it when it starts: it remembers nothing, and waits as the process does. */
export const loadCode = (sleep: Sleep) =>
	inNewProcess(() => {
		const path = '../../../../../../../nodes/FormResponses';
		jest.doMock('n8n-workflow', () => ({ ...n8nWorkflow, sleep }));
		jest.doMock(`${path}/transport/timeLimit`, () => ({ endWithin: limitBy(sleep) }));
		return {
			...jest.requireActual<typeof Emission>(`${path}/trigger/recover/emission`),
			...jest.requireActual<typeof Execute>(`${path}/trigger/run/execute`),
		};
	});
