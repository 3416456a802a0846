import type { IDataObject } from 'n8n-workflow';
import { startClock } from '../../../clock';
import { emptyStores, failStore, recorded } from '../../../n8n/deduplication';
import type { Runnable } from '../../../n8n/execute';
import { execute } from '../../../n8n/execute';
import { keepLogs } from '../../../n8n/logs';
import {
	anError,
	aResponse,
	FORM_ID,
	idOf,
	OTHER_FORM_ID,
	RESPONSE_ID,
	responsesOf,
} from '../../../samples';
import type { FakeService } from '../../../service';
import { fakeService, ok, refused } from '../../../service';
import { aWorkflow, pushed, recovered, trigger } from './trigger.fixture';

let service: FakeService;

beforeEach(() => {
	startClock();
	emptyStores();
	service = fakeService();
});

/** A run of the trigger node, as a delivery or recovery starts it; the same node each time. */
const run = async (
	items: IDataObject[],
	parameters: IDataObject = {},
	more: Partial<Runnable> = {},
) => {
	const { items: output, error } = await execute({
		...aWorkflow(parameters),
		workflowId: 'workflow-refinement',
		mode: 'webhook',
		items,
		...more,
	});
	expect(error).toBeUndefined();
	return output;
};

const idsOf = (items: Awaited<ReturnType<typeof run>>) => items.map(({ json }) => json.responseId);

describe('the shape of an item', () => {
	test('simplified', async () => {
		expect(await run(pushed(aResponse()))).toEqual([
			{
				json: {
					responseId: RESPONSE_ID,
					formId: FORM_ID,
					formTitle: 'Contact',
					respondentEmail: 'robin@example.com',
					completedAt: '2026-03-01T11:59:00.000Z',
					answers: { Name: 'Robin' },
					hiddenFields: { source: 'newsletter' },
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test.each([
		['pushed', pushed(aResponse())],
		['recovered', recovered(aResponse())],
	])('not simplified is the envelope as the API sent it (%s)', async (_, items) => {
		const [{ json }] = await run(items, { simplify: false });
		expect(json).toEqual(aResponse());
	});

	test('by the chosen options', async () => {
		const options = { answerKeys: 'fieldId', answerValues: 'rawValue' };
		const [{ json }] = await run(pushed(aResponse()), { options });
		expect(json.answers).toEqual({ 'field-1': 'Robin' });
	});

	test('tells where more may be out of reach: when all 25 were missed', async () => {
		const logs = keepLogs(trigger);
		const items = await run(recovered(...responsesOf(25).reverse()));
		expect(items).toHaveLength(25);
		expect(items.every(({ json }) => /^All 25 responses/.test(String(json.warning)))).toBe(true);
		expect(logs.filter(({ level }) => level === 'warn')).toHaveLength(1);
	});

	test.each<[string, IDataObject[], IDataObject[]]>([
		['fewer were missed', [], recovered(...responsesOf(24))],
		['some of the 25 had run before', pushed(...responsesOf(1)), recovered(...responsesOf(25))],
		['they were pushed', [], pushed(...responsesOf(25))],
	])('does not warn where %s', async (_, before, now) => {
		const logs = keepLogs(trigger);
		if (before.length > 0) await run(before);
		const items = await run(now);
		expect(items.length).toBeGreaterThanOrEqual(24);
		expect(items.every(({ json }) => !('warning' in json))).toBe(true);
		expect(logs.filter(({ level }) => level === 'warn')).toEqual([]);
	});

	test('a warning is not written into the response itself', async () => {
		const items = await run(recovered(...responsesOf(25)), { simplify: false });
		expect(Object.keys(items[0].json).sort()).toEqual(['createdAt', 'data', 'event', 'warning']);
	});
});

describe('a response that was processed before', () => {
	const again = aResponse({ completedAt: '2026-04-01T00:00:00Z' });

	test.each<[string, IDataObject[], IDataObject[], number]>([
		['pushed twice: runs once', pushed(aResponse()), pushed(aResponse()), 0],
		['recovered after it was pushed: runs once', pushed(aResponse()), recovered(aResponse()), 0],
		['pushed after it was recovered: runs once', recovered(aResponse()), pushed(aResponse()), 0],
		['recovered twice: runs once', recovered(aResponse()), recovered(aResponse()), 0],
		['completed again: runs again', pushed(aResponse()), pushed(again), 1],
	])('%s', async (_, first, second, count) => {
		expect(await run(first)).toHaveLength(1);
		expect(await run(second)).toHaveLength(count);
	});

	test('among new ones is dropped, and the others keep their order', async () => {
		const [third, second, first] = responsesOf(3);
		await run(pushed(second));
		expect(idsOf(await run(recovered(first, second, third)))).toEqual([idOf(1, 2), idOf(3, 2)]);
	});

	test('runs again where duplicates are not to be skipped', async () => {
		const parameters = { options: { skipDuplicates: false } };
		expect(await run(pushed(aResponse()), parameters)).toHaveLength(1);
		expect(await run(pushed(aResponse()), parameters)).toHaveLength(1);
	});

	test('is never recovered a second time, also where duplicates are not to be skipped', async () => {
		const parameters = { options: { skipDuplicates: false } };
		await run(pushed(aResponse()), parameters);
		expect(await run(recovered(aResponse()), parameters)).toEqual([]);
	});

	test('is known by the node only, not by others', async () => {
		await run(pushed(aResponse()));
		expect(await run(pushed(aResponse()), {}, { nodeId: 'another-node' })).toHaveLength(1);
	});
});

describe('a manual run', () => {
	test('records nothing and drops nothing', async () => {
		expect(await run(pushed(aResponse()), {}, { mode: 'manual' })).toHaveLength(1);
		expect(recorded()).toEqual([]);
		expect(await run(pushed(aResponse()))).toHaveLength(1);
		expect(await run(pushed(aResponse()), {}, { mode: 'manual' })).toHaveLength(1);
	});
});

test('a run that is retried by hand runs again', async () => {
	await run(pushed(aResponse()));
	expect(await run(pushed(aResponse()), {}, { mode: 'retry' })).toHaveLength(1);
});

describe('a store that fails', () => {
	const locked = new Error('database is locked');

	test('once is asked once more', async () => {
		failStore(locked);
		expect(await run(pushed(aResponse()))).toHaveLength(1);
		expect(await run(pushed(aResponse()))).toEqual([]);
	});

	test('twice lets the response pass: better twice than never', async () => {
		const logs = keepLogs(trigger);
		failStore(locked, locked);
		expect(await run(pushed(aResponse()))).toHaveLength(1);
		expect(logs.filter(({ level }) => level === 'warn')).toHaveLength(1);
	});
});

describe('verification', () => {
	const verifying = { options: { verifyDeliveries: true } };
	const PATH = `/responses/${RESPONSE_ID}`;

	test('runs with what the API has', async () => {
		service.on('GET', PATH, ok(aResponse({ formTitle: 'As the API has it' })));
		const [{ json }] = await run(pushed(aResponse({ formTitle: 'Forged' })), verifying);
		expect(json.formTitle).toBe('As the API has it');
	});

	test.each([
		['the API does not have', refused(404, anError('not_found', 'No'))],
		['the API has for another form', ok(aResponse({ formId: OTHER_FORM_ID }))],
	])('drops what %s, and says so in the log', async (_, reply) => {
		const logs = keepLogs(trigger);
		service.on('GET', PATH, reply);
		expect(await run(pushed(aResponse()), verifying)).toEqual([]);
		expect(logs.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
			expect.stringMatching(/^A delivery was dropped/),
		]);
		expect(recorded()).toEqual([]);
	});

	test('what recovery read needs none', async () => {
		expect(await run(recovered(aResponse()), verifying)).toHaveLength(1);
		expect(service.sent).toEqual([]);
	});

	test('waits for a rate limit', async () => {
		const clock = startClock();
		service.on('GET', PATH, refused(429, '', { 'Retry-After': '3' }), ok(aResponse()));
		expect(await run(pushed(aResponse()), verifying)).toHaveLength(1);
		expect(clock.elapsed()).toBeGreaterThanOrEqual(3_000);
	});

	test('that is not possible fails the run, so that it can be retried; nothing is recorded', async () => {
		service.on('GET', PATH, refused(403, anError('insufficient_scope', 'No')));
		const { error } = await execute({
			...aWorkflow(verifying),
			mode: 'webhook',
			items: pushed(aResponse()),
		});
		expect(error?.message).toMatch(/lacks the scope responses:read/);
		expect(recorded()).toEqual([]);
	});

	test('is not done unless chosen', async () => {
		await run(pushed(aResponse()));
		expect(service.sent).toEqual([]);
	});
});
