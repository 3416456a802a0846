import type { IDataObject } from 'n8n-workflow';
import { responseKey } from '../../../../../../nodes/FormResponses/transport/responseKey';
import type { ResponseEnvelope } from '../../../../../../nodes/FormResponses/transport/types';
import { startClock } from '../../../../kit/clock';
import { ACCESS_TOKEN, API_KEY } from '../../../../kit/credentials';
import { emptyStores, failStore, recorded } from '../../../../kit/processedStore';
import { execute, type Runnable } from '../../../../kit/execute';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import {
	anError,
	aResponse,
	FORM_ID,
	idOf,
	OTHER_FORM_ID,
	RESPONSE_ID,
	responsesOf,
	SIMPLIFIED,
} from '../../../../kit/samples';
import type { Stored } from '../../../../kit/workflow';
import { fakeService, ok, reply, type FakeService } from '../../../../kit/formService';
import { aWorkflow, inAnotherProcess, pushed, recovered, trigger } from '../trigger.fixture';

let service: FakeService;
let stored: Stored;
let logs: ReturnType<typeof keepLogs>;

beforeEach(() => {
	startClock();
	emptyStores();
	service = fakeService();
	stored = aWorkflow();
	logs = keepLogs(trigger);
});

const warnings = () => warningsIn(logs);

/** A run of the trigger node, as a delivery or recovery starts it; the same node each time. */
async function runOf(items: IDataObject[], more: object = {}, how: Partial<Runnable> = {}) {
	const parameters = { ...stored.parameters, ...more };
	const run = await execute({ ...stored, parameters, mode: 'webhook', items, ...how });
	expect(run.error).toBeUndefined();
	return run;
}

/** The output of runs with an item each. */
async function run(items: IDataObject[], ...how: [object?, Partial<Runnable>?]) {
	const outputs = [];
	for (const item of items) outputs.push(...(await runOf([item], ...how)).items);
	return outputs;
}

/** n8n is started again: what its processes had in memory is gone. */
const restart = () => (stored = inAnotherProcess(stored));

const asking = (...items: IDataObject[]): IDataObject[] => {
	const asked = items.map(({ envelope, ...about }) => ({
		...about,
		key: responseKey(envelope as unknown as ResponseEnvelope),
	}));
	return [{ asked }];
};

const idsOf = (items: Awaited<ReturnType<typeof run>>) => items.map(({ json }) => json.responseId);

test('nothing is output where nothing runs, though Always Output Data is on', async () => {
	stored = { ...stored, alwaysOutputData: true };
	const [delivery] = pushed(aResponse());
	expect(idsOf(await run([delivery, delivery]))).toEqual([RESPONSE_ID]);
	expect(await run(asking(...recovered(responsesOf(2))))).toEqual([]);
	expect(idsOf(await run([delivery], {}, { mode: 'retry' }))).toEqual([RESPONSE_ID]);
});

describe('responses that may be from before the first publication, because nothing was stored', () => {
	const guessed = recovered([...responsesOf(2)].reverse(), { isGuess: true, tries: 3 });

	test('do not run where the node never ran before, and never will, with a warning', async () => {
		const [guess] = guessed;
		expect(await run([guess])).toEqual([]);
		expect(warnings().join()).toContain('has nothing stored of this node');
		restart();
		await run(pushed(aResponse()));
		expect(await run([guess])).toEqual([]);
	});

	test('run where the node ran before, except what it ran', async () => {
		await run([recovered(responsesOf(1))[0]]);
		restart();
		expect(idsOf(await run(guessed))).toEqual([idOf(2, 2)]);
	});

	test.each([
		['done where the node never ran before, and never will run', false, 'df'],
		['free where it did', true, 'ff'],
	])('are %s, by the answer to a question', async (_, hasRun, expected) => {
		const [guess] = guessed;
		const [other] = recovered(responsesOf(3));
		if (hasRun) await run(pushed(aResponse()));
		restart();
		expect((await runOf(asking(guess, other))).customData).toEqual({
			responseVerdicts: expected,
		});
		expect(warnings()).toHaveLength(hasRun ? 0 : 1);
		restart();
		expect(await run([guess])).toHaveLength(hasRun ? 1 : 0);
		expect(await run([other])).toHaveLength(1);
	});

	test('are asked about again where the store cannot keep that they never run', async () => {
		failStore(undefined, new Error('full'));
		const answer = (await runOf(asking(...guessed))).customData;
		expect([answer, recorded()]).toEqual([{ responseVerdicts: 'aa' }, []]);
		expect((await runOf(asking(...guessed))).customData).toEqual({ responseVerdicts: 'dd' });
	});

	test('run where the store does not tell', async () => {
		failStore(...Array.from({ length: 20 }, () => new Error('full')));
		expect(idsOf(await run(guessed))).toEqual([idOf(1, 2), idOf(2, 2)]);
		expect(warnings().join()).toContain('may run twice');
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
		expect(await run(items, parameters)).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	const page = [...responsesOf(25)].reverse();
	const isOldestShown = true;

	test('tells beside it where more may be out of reach: the oldest of 25 was missed', async () => {
		await run(pushed(...page.slice(20)));
		const items = await run(recovered(page, { isOldestShown }), { simplify: false });
		const warning = /^The oldest of the 25 responses .* out of its reach/;
		const json = { ...page[0], warning: expect.stringMatching(warning) as string };
		expect([items.length, items[0].json]).toEqual([20, json]);
		expect(items.filter((item) => 'warning' in item.json)).toHaveLength(1);
		expect(warnings()).toEqual([expect.stringContaining('"Forms": The oldest of the 25')]);
	});

	test('tells it in the log only where nobody wants it in the item', async () => {
		const items = await run(recovered([aResponse()], { isOldestShown }), {
			options: { include: [] },
		});
		expect(items[0].json).toEqual({ answers: { Name: 'Robin' } });
		expect(warnings()).toEqual([expect.stringContaining('"Forms": The oldest of the 25')]);
	});

	test('does not warn where the oldest had run before', async () => {
		await run(pushed(page[0]));
		const items = await run(recovered(page, { isOldestShown }));
		expect(items).toHaveLength(24);
		expect(items.every(({ json }) => !('warning' in json))).toBe(true);
		expect(warnings()).toEqual([]);
	});
});

describe('what the run tells the trigger', () => {
	test('whether another process began it', async () => {
		const [first, second] = responsesOf(2);
		await run(pushed(second));
		restart();
		const told = async (one: ResponseEnvelope, isUnfinished = false) =>
			(await runOf(recovered([one], { isUnfinished }))).customData;
		expect(await told(first)).toEqual({ responseVerdicts: 'p' });
		expect(await told(second)).toEqual({ responseVerdicts: 't' });
		expect(await told(second, true)).toEqual({ responseVerdicts: 'd' });
	});

	test('whether to emit it again, because the store did not answer', async () => {
		failStore(new Error('full'));
		const { items, customData: told } = await runOf(recovered([aResponse()]));
		expect(items).toEqual([]);
		expect(told).toEqual({ responseVerdicts: 'a' });
	});

	test('which of those it was asked about were output, without an output of its own', async () => {
		const [first, second] = responsesOf(2);
		await run(pushed(second));
		restart();
		const { items, customData } = await runOf(asking(...recovered([first, second])));
		expect([items, customData]).toEqual([[], { responseVerdicts: 'fd' }]);
		expect(idsOf(await run(recovered([first])))).toEqual([first.data.responseId]);
	});

	test.each([
		['fails', undefined, 1],
		['outputs nothing, even where the workflow goes on with errors,', 'continueRegularOutput', 0],
	] as const)('nothing where a question %s', async (_, onError, errors) => {
		const items = [{ asked: [null] }];
		const question = { ...stored, mode: 'webhook', onError, items } as const;
		const { items: output, error, customData } = await execute(question);
		expect([output, error ? 1 : 0, customData]).toEqual([[], errors, {}]);
	});

	test.each<[string, IDataObject[], Partial<Runnable>]>([
		['of what was delivered', pushed(aResponse()), {}],
		['of a test', recovered([aResponse()]), { mode: 'manual' }],
	])('nothing %s', async (_, items, more) => {
		expect((await runOf(items, {}, more)).customData).toEqual({});
	});
});

describe('a response that was processed before', () => {
	const again = aResponse({ completedAt: '2026-04-01T00:00:00Z' });

	test.each<[string, IDataObject[], IDataObject[], number]>([
		['pushed twice: runs once', pushed(aResponse()), pushed(aResponse()), 0],
		['recovered after it was pushed: runs once', pushed(aResponse()), recovered([aResponse()]), 0],
		['completed again: runs again', pushed(aResponse()), pushed(again), 1],
	])('%s', async (_, first, second, count) => {
		expect(await run(first)).toHaveLength(1);
		expect(await run(second)).toHaveLength(count);
		restart();
		expect(await run(first)).toHaveLength(0);
		expect(await run(second)).toHaveLength(0);
	});

	test('runs again where duplicates are not to be skipped, but is not recovered again', async () => {
		const parameters = { options: { skipDuplicates: false } };
		for (let n = 0; n < 2; n++) {
			expect(await run(pushed(aResponse()), parameters)).toHaveLength(1);
		}
		restart();
		expect(await run(recovered([aResponse()]), parameters)).toEqual([]);
	});

	test('is known by the node only, not by others', async () => {
		await run(pushed(aResponse()));
		expect(await run(pushed(aResponse()), {}, { nodeId: 'another-node' })).toHaveLength(1);
	});
});

test('a manual run records nothing and drops nothing', async () => {
	const manual = async () => await run(pushed(aResponse()), {}, { mode: 'manual' });
	expect(await manual()).toHaveLength(1);
	expect(recorded()).toEqual([]);
	expect(await run(pushed(aResponse()))).toHaveLength(1);
	expect(await manual()).toHaveLength(1);
});

test('a run that is retried by hand runs again, and does not come again', async () => {
	for (let n = 0; n < 2; n++) {
		expect(await run(pushed(aResponse()), {}, { mode: 'retry' })).toHaveLength(1);
	}
	restart();
	expect(await run(recovered([aResponse()]))).toEqual([]);
});

describe('verification', () => {
	const verifying = { options: { verifyDeliveries: true } };
	const PATH = `/responses/${RESPONSE_ID}`;

	test('of what the service showed is over, and it runs once even where duplicates run', async () => {
		const shown = pushed(aResponse()).map((item) => ({ ...item, isShown: true }));
		const options = { skipDuplicates: false, verifyDeliveries: true };
		expect(await run(shown, { options })).toHaveLength(1);
		expect(await run(shown, { options })).toEqual([]);
		expect(service.sent).toEqual([]);
	});

	test.each([
		['apiKey', API_KEY],
		['oAuth2', ACCESS_TOKEN],
	])('runs with what the API has, by the credential chosen: %s', async (authentication, token) => {
		const formId = FORM_ID.toUpperCase();
		service.on('GET', PATH, ok(aResponse({ formId, formTitle: 'As the API has it' })));
		const forged = pushed(aResponse({ formTitle: 'Forged' }));
		const [{ json }] = await run(forged, { authentication, ...verifying });
		expect(json.formTitle).toBe('As the API has it');
		expect(service.sent[0].authorization).toBe(`Bearer ${token}`);
	});

	test.each([
		['the API does not have', reply(404, anError('not_found', 'No'))],
		['the API has for another form', ok(aResponse({ formId: OTHER_FORM_ID }))],
	])('drops what %s without a wait, says so, and leaves it to a look', async (_, reply) => {
		const { waits } = startClock();
		service.on('GET', PATH, reply);
		expect(await run(pushed(aResponse()), verifying)).toEqual([]);
		expect([waits, recorded()]).toEqual([[], []]);
		expect(warnings()).toEqual([expect.stringMatching(/^A delivery was dropped/)]);
		expect(await run(recovered([aResponse()]), verifying)).toHaveLength(1);
		expect(service.sent).toHaveLength(1);
	});

	test.each([
		['403', reply(403, anError('insufficient_scope', 'No')), /lacks the scope responses:read/],
		['404 of another server', reply(404, '<html>'), /404 with an HTML page/],
	])('that is answered %s fails the run, which can be retried', async (_, reply, expected) => {
		service.always('GET', PATH, reply);
		const mode = 'webhook';
		const failing = { ...aWorkflow(verifying), mode, items: pushed(aResponse()) } as const;
		const { error } = await execute(failing);
		expect(error?.message).toMatch(expected);
		const { items } = await execute({ ...failing, onError: 'continueRegularOutput' });
		// It never passes on what came in.
		const message = expect.stringMatching(expected) as unknown;
		expect(items).toEqual([{ json: { error: { message } }, pairedItem: { item: 0 } }]);
		expect(recorded()).toEqual([]);
	});
});
