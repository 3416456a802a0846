import type { IExecuteFunctions } from 'n8n-workflow';
import { filterNew } from '../../../../../../nodes/FormResponses/actions/response/returned';
import { inRun } from '../../../../kit/inRun';
import { emptyStores, failStore } from '../../../../kit/processedStore';
import { responsesOf } from '../../../../kit/samples';

beforeEach(emptyStores);

test.each<[string, first: number, second: number, again: number]>([
	['a loop returns a response in one of its runs', 0, 1, 0],
	['a second try of a run returns what the first one did', 1, 1, 2],
])('%s', async (_, first, second, again) => {
	const responses = responsesOf(2);
	/** n8n gives a node a context of its own for each run in a loop, and for each try. */
	const ask = async (context: IExecuteFunctions, $runIndex: number) => {
		const own = Object.create(context) as IExecuteFunctions;
		const ofRun = Object.assign(own, { getWorkflowDataProxy: () => ({ $runIndex }) });
		return await filterNew(ofRun, responses);
	};
	await inRun(async (context) => {
		expect(await ask(context, first)).toEqual(responses);
		expect(await ask(context, second)).toEqual(responses.slice(0, again));
	});
});

test('a store that fails lets all pass', async () => {
	const collision = new Error('UNIQUE constraint failed');
	failStore(collision, collision);
	const responses = responsesOf(2);
	expect(await inRun(async (context) => await filterNew(context, responses))).toEqual(responses);
});
