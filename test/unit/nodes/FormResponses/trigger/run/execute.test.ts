import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { responseKey } from '../../../../../../nodes/FormResponses/transport/responseKey';
import type { ResponseEnvelope } from '../../../../../../nodes/FormResponses/transport/types';
import type { Runnable } from '../../../../kit/execute';
import { failStore, record, recorded } from '../../../../kit/processedStore';
import { aResponse, idOf, RESPONSE_ID, responsesOf, SIMPLIFIED } from '../../../../kit/samples';
import { pushed, recovered } from '../trigger.fixture';
import { aNode } from './node.fixture';

let node: ReturnType<typeof aNode>;

beforeEach(() => void (node = aNode()));

const asking = (...items: IDataObject[]): IDataObject[] => {
	const asked = items.map(({ envelope, ...about }) => ({
		...about,
		key: responseKey(envelope as unknown as ResponseEnvelope),
	}));
	return [{ asked }];
};

const idsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.responseId);

test('nothing is output where nothing runs, though Always Output Data is on', async () => {
	node = aNode({ alwaysOutputData: true });
	const [delivery] = pushed(aResponse());
	expect(idsOf(await node.run([delivery, delivery]))).toEqual([RESPONSE_ID]);
	expect(await node.run(asking(...recovered(responsesOf(2))))).toEqual([]);
	expect(idsOf(await node.run([delivery], {}, { mode: 'retry' }))).toEqual([RESPONSE_ID]);
});

describe('responses that may be from before the first publication, because nothing was stored', () => {
	const guessed = recovered([...responsesOf(2)].reverse(), { isGuess: true, tries: 3 });

	test('do not run where the node never ran before, and never will, with a warning', async () => {
		const [guess] = guessed;
		expect(await node.run([guess])).toEqual([]);
		expect(node.warnings().join()).toContain('has nothing stored of this node');
		node.restart();
		await node.run(pushed(aResponse()));
		expect(await node.run([guess])).toEqual([]);
	});

	test('run where the node ran before, except what it ran', async () => {
		await node.run([recovered(responsesOf(1))[0]]);
		node.restart();
		expect(idsOf(await node.run(guessed))).toEqual([idOf(2, 2)]);
	});

	test.each([
		['done where the node never ran before, and never will run', false, 'df'],
		['free where it did', true, 'ff'],
	])('are %s, by the answer to a question', async (_, hasRun, expected) => {
		const [guess] = guessed;
		const [other] = recovered(responsesOf(3));
		if (hasRun) await node.run(pushed(aResponse()));
		node.restart();
		expect((await node.runOf(asking(guess, other))).customData).toEqual({
			responseVerdicts: expected,
		});
		expect(node.warnings()).toHaveLength(hasRun ? 0 : 1);
		node.restart();
		expect(await node.run([guess])).toHaveLength(hasRun ? 1 : 0);
		expect(await node.run([other])).toHaveLength(1);
	});

	test('are asked about again where the store cannot keep that they never run', async () => {
		failStore(undefined, new Error('full'));
		const answer = (await node.runOf(asking(...guessed))).customData;
		expect([answer, recorded()]).toEqual([{ responseVerdicts: 'aa' }, []]);
		expect((await node.runOf(asking(...guessed))).customData).toEqual({ responseVerdicts: 'dd' });
	});

	test('are emitted again where the store cannot keep that one never runs', async () => {
		failStore(undefined, new Error('full'));
		const [guess] = recovered(responsesOf(1), { isGuess: true });
		const runs = [await node.runOf([guess]), await node.runOf([guess])];
		expect(runs.map(({ customData }) => customData)).toEqual([
			{ responseVerdicts: 'a' },
			{ responseVerdicts: 'd' },
		]);
	});

	test('run where the store does not tell', async () => {
		failStore(...Array.from({ length: 20 }, () => new Error('full')));
		expect(idsOf(await node.run(guessed))).toEqual([idOf(1, 2), idOf(2, 2)]);
		expect(node.warnings().join()).toContain('may run twice');
	});
});

describe('the shape of an item', () => {
	const options = { answerKeys: 'fieldId', answerValues: 'rawValue' };
	const chosen = { ...SIMPLIFIED, answers: { 'field-1': 'Robin' } };

	test.each<[string, IDataObject[], IDataObject, object]>([
		['simplified', pushed(aResponse()), {}, SIMPLIFIED],
		['by the chosen options', pushed(aResponse()), { options }, chosen],
		['the envelope as it came', recovered([aResponse()]), { simplify: false }, aResponse()],
	])('%s', async (_, items, parameters, json) => {
		expect(await node.run(items, parameters)).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	const page = [...responsesOf(25)].reverse();
	const isOldestShown = true;

	test('tells beside it where more may be out of reach: the oldest of 25 was missed', async () => {
		await node.run(pushed(...page.slice(20)));
		const items = await node.run(recovered(page, { isOldestShown }), { simplify: false });
		const warning = /^The oldest of the 25 responses .* out of its reach/;
		const json = { ...page[0], warning: expect.stringMatching(warning) as string };
		expect([items.length, items[0].json]).toEqual([20, json]);
		expect(items.filter((item) => 'warning' in item.json)).toHaveLength(1);
		expect(node.warnings()).toEqual([expect.stringContaining('"Forms": The oldest of the 25')]);
	});

	test('tells it in the log only where nobody wants it in the item', async () => {
		const items = await node.run(recovered([aResponse()], { isOldestShown }), {
			options: { include: [] },
		});
		expect(items[0].json).toEqual({ answers: { Name: 'Robin' } });
		expect(node.warnings()).toEqual([expect.stringContaining('"Forms": The oldest of the 25')]);
	});

	test('does not warn where the oldest had run before', async () => {
		await node.run(pushed(page[0]));
		const items = await node.run(recovered(page, { isOldestShown }));
		expect(items).toHaveLength(24);
		expect(items.every(({ json }) => !('warning' in json))).toBe(true);
		expect(node.warnings()).toEqual([]);
	});
});

describe('what the run tells the trigger', () => {
	test('whether another process began it, or ended it', async () => {
		const [first, second, third] = responsesOf(3);
		await node.run(pushed(second));
		node.restart();
		const told = async (one: ResponseEnvelope, isUnfinished = false) =>
			(await node.runOf(recovered([one], { isUnfinished }))).customData;
		expect(await told(first)).toEqual({ responseVerdicts: 'p' });
		expect(await told(second)).toEqual({ responseVerdicts: 'd' });
		expect(await told(second, true)).toEqual({ responseVerdicts: 'd' });
		record(responseKey(third));
		expect(await told(third)).toEqual({ responseVerdicts: 't' });
	});

	test('whether to emit it again, because the store did not answer', async () => {
		failStore(new Error('full'));
		const { items, customData: told } = await node.runOf(recovered([aResponse()]));
		expect(items).toEqual([]);
		expect(told).toEqual({ responseVerdicts: 'a' });
	});

	test('which of those it was asked about were output, without an output of its own', async () => {
		const [first, second] = responsesOf(2);
		await node.run(pushed(second));
		node.restart();
		const { items, customData } = await node.runOf(asking(...recovered([first, second])));
		expect([items, customData]).toEqual([[], { responseVerdicts: 'fd' }]);
		expect(idsOf(await node.run(recovered([first])))).toEqual([first.data.responseId]);
	});

	test.each([
		['fails', undefined, 1],
		['outputs nothing, even where the workflow goes on with errors,', 'continueRegularOutput', 0],
	] as const)('nothing where a question %s', async (_, onError, errors) => {
		const items = [{ asked: [null] }];
		const { items: output, error, customData } = await node.start(items, {}, { onError });
		expect([output, error ? 1 : 0, customData]).toEqual([[], errors, {}]);
	});

	test.each<[string, IDataObject[], Partial<Runnable>]>([
		['of what was delivered', pushed(aResponse()), {}],
		['of a test', recovered([aResponse()]), { mode: 'manual' }],
	])('nothing %s', async (_, items, more) => {
		expect((await node.runOf(items, {}, more)).customData).toEqual({});
	});
});

describe('a response that was processed before', () => {
	const again = aResponse({ completedAt: '2026-04-01T00:00:00Z' });

	test.each<[string, IDataObject[], IDataObject[], number]>([
		['pushed twice: runs once', pushed(aResponse()), pushed(aResponse()), 0],
		['recovered after it was pushed: runs once', pushed(aResponse()), recovered([aResponse()]), 0],
		['completed again: runs again', pushed(aResponse()), pushed(again), 1],
	])('%s', async (_, first, second, count) => {
		expect(await node.run(first)).toHaveLength(1);
		expect(await node.run(second)).toHaveLength(count);
		node.restart();
		expect(await node.run(first)).toHaveLength(0);
		expect(await node.run(second)).toHaveLength(0);
	});

	test('runs again where duplicates are not to be skipped, but is not recovered again', async () => {
		const parameters = { options: { skipDuplicates: false } };
		for (let n = 0; n < 2; n++) {
			expect(await node.run(pushed(aResponse()), parameters)).toHaveLength(1);
		}
		node.restart();
		expect(await node.run(recovered([aResponse()]), parameters)).toEqual([]);
	});

	test('is known by the node only, not by others', async () => {
		await node.run(pushed(aResponse()));
		expect(await node.run(pushed(aResponse()), {}, { nodeId: 'another-node' })).toHaveLength(1);
	});
});

test('a manual run records nothing and drops nothing', async () => {
	const manual = async () => await node.run(pushed(aResponse()), {}, { mode: 'manual' });
	expect(await manual()).toHaveLength(1);
	expect(recorded()).toEqual([]);
	expect(await node.run(pushed(aResponse()))).toHaveLength(1);
	expect(await manual()).toHaveLength(1);
});

test('a run that fails can be retried', async () => {
	const { error, retried } = await node.start([{ asked: [null] }]);
	expect([error?.message, retried]).toEqual([expect.anything(), ['Forms']]);
});

test('a run that is retried by hand runs again, and does not come again', async () => {
	for (let n = 0; n < 2; n++) {
		expect(await node.run(pushed(aResponse()), {}, { mode: 'retry' })).toHaveLength(1);
	}
	node.restart();
	expect(await node.run(recovered([aResponse()]))).toEqual([]);
});
