import type { IExecuteFunctions } from 'n8n-workflow';
import { filterNew } from '../../../../../nodes/FormResponses/actions/response/returned';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import { emptyStores } from '../../../../in-process/deduplication';
import { inRun } from '../../../../in-process/probe';
import { responsesOf } from '../../../../samples';

beforeEach(emptyStores);

const responses = responsesOf(2) as ResponseEnvelope[];

/** n8n gives a node a context of its own for each run in a loop, and for each try. */
const tryOf = (context: IExecuteFunctions, $runIndex: number): IExecuteFunctions =>
	Object.assign(Object.create(context) as IExecuteFunctions, {
		getWorkflowDataProxy: () => ({ $runIndex }),
	});

test('a loop returns a response in one of its runs', async () => {
	const [first, second] = await inRun(async (context) => [
		await filterNew(tryOf(context, 0), responses),
		await filterNew(tryOf(context, 1), responses),
	]);
	expect([first, second]).toEqual([responses, []]);
});

test('a second try of a run returns what the first one did', async () => {
	const [first, second] = await inRun(async (context) => [
		await filterNew(tryOf(context, 1), responses),
		await filterNew(tryOf(context, 1), responses),
	]);
	expect([first, second]).toEqual([responses, responses]);
});
