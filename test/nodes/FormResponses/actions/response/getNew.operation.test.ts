import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import { emptyStores, failStore, recorded } from '../../../../in-process/deduplication';
import type { Runnable } from '../../../../in-process/execute';
import { execute } from '../../../../in-process/execute';
import { keepLogs } from '../../../../in-process/logs';
import { anError, aResponse, FORM_ID, idOf, OTHER_FORM_ID, responsesOf } from '../../../../samples';
import type { FakeService } from '../../../../service';
import { fakeService, ok, refused } from '../../../../service';

const type = new FormResponses();

let service: FakeService;

beforeEach(() => {
	emptyStores();
	service = fakeService();
});

const serve = (data: unknown[], formId = FORM_ID) =>
	service.on('GET', `/forms/${formId}/responses`, ok({ data }));

const getNew = async (
	mode: WorkflowExecuteMode,
	parameters: IDataObject = {},
	items: IDataObject[] = [{}],
	options: Partial<Runnable> = {},
) => {
	const run = await execute({
		...options,
		type,
		mode,
		items,
		parameters: {
			resource: 'response',
			operation: 'getNew',
			formId: { __rl: true, mode: 'id', value: FORM_ID },
			...parameters,
		} as never,
	});
	return { ...run, ids: run.items.map(({ json }) => json.responseId) };
};

const ids = (...numbers: number[]) => numbers.map((n) => idOf(n, 2));

test('gives what no earlier production run gave', async () => {
	serve(responsesOf(2));
	expect((await getNew('trigger')).ids).toEqual(ids(1, 2));
	serve(responsesOf(3));
	expect((await getNew('trigger')).ids).toEqual(ids(3));
	serve(responsesOf(3));
	expect((await getNew('trigger')).ids).toEqual([]);
});

test('reads the newest 25', async () => {
	serve([]);
	await getNew('trigger');
	expect(service.sent[0].query).toEqual({ limit: '25' });
});

test('a response that is completed again is new', async () => {
	serve([aResponse({ completedAt: '2026-03-01T11:00:00Z' })]);
	await getNew('trigger');
	serve([aResponse({ completedAt: '2026-03-01T12:00:00Z' })]);
	expect((await getNew('trigger')).ids).toHaveLength(1);
});

test.each(['manual', 'evaluation'] as const)('a run of mode %s remembers nothing', async (mode) => {
	serve(responsesOf(2));
	expect((await getNew(mode)).ids).toEqual(ids(1, 2));
	expect(recorded()).toEqual([]);
	serve(responsesOf(2));
	expect((await getNew('trigger')).ids).toEqual(ids(1, 2));
});

test('many items that read one form share its responses, and none comes twice', async () => {
	for (let n = 0; n < 4; n++) serve(responsesOf(2));
	const { items } = await getNew('trigger', { options: { maxConcurrency: 50 } }, [{}, {}, {}, {}]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
});

/** One node that reads a form for each item. */
const ofEach = { formId: { __rl: true, mode: 'id', value: '={{ $json.form }}' } };

const serveOther = () => {
	const [{ data, ...rest }] = responsesOf(1);
	const other = { ...data, formId: OTHER_FORM_ID, responseId: idOf(9, 2) };
	serve([{ ...rest, data: other }], OTHER_FORM_ID);
};

const bothForms = [{ form: FORM_ID }, { form: OTHER_FORM_ID }];

test('reads several forms with one node', async () => {
	serve(responsesOf(1));
	serveOther();
	const { ids: found, error } = await getNew('trigger', ofEach, bothForms);
	expect(error).toBeUndefined();
	expect(found).toEqual(ids(1, 9));
});

describe('counts as returned only what a run returned that succeeded', () => {
	const fail = (formId: string) =>
		service.on('GET', `/forms/${formId}/responses`, refused(404, anError('not_found', 'Gone')));

	async function returnsAllNow() {
		serve(responsesOf(2));
		serveOther();
		expect((await getNew('trigger', ofEach, bothForms)).ids).toEqual(ids(1, 2, 9));
	}

	async function returnsOnlyOther() {
		serve(responsesOf(2));
		serveOther();
		expect((await getNew('trigger', ofEach, bothForms)).ids).toEqual(ids(9));
	}

	test('another form that does not exist fails the run', async () => {
		serve(responsesOf(2));
		fail(OTHER_FORM_ID);
		const { error } = await getNew('trigger', ofEach, bothForms);
		expect(error?.message).toContain('the form was deleted');
		expect(recorded()).toEqual([]);
		await returnsAllNow();
	});

	test('another form that does not exist, with an error output', async () => {
		serve(responsesOf(2));
		fail(OTHER_FORM_ID);
		const options: Partial<Runnable> = { onError: 'continueErrorOutput' };
		const run = await getNew('trigger', ofEach, bothForms, options);
		expect([run.ids, run.errorItems.length]).toEqual([ids(1, 2), 1]);
		await returnsOnlyOther();
	});

	test('a run that is canceled', async () => {
		let cancel = () => {};
		serve(responsesOf(2));
		service.always('GET', `/forms/${OTHER_FORM_ID}/responses`, () => {
			cancel();
			return ok({ data: [] });
		});
		const onStart = (stop: () => void) => (cancel = stop);
		const { status } = await getNew('trigger', ofEach, bothForms, { onStart });
		expect(status).toBe('canceled');
		expect(recorded()).toEqual([]);
		serve(responsesOf(2));
		expect((await getNew('trigger')).ids).toEqual(ids(1, 2));
	});

	test('a run that n8n tries again: its first item is an error', async () => {
		fail(OTHER_FORM_ID);
		serve(responsesOf(2));
		fail(OTHER_FORM_ID);
		serve(responsesOf(2));
		const failing = [{ form: OTHER_FORM_ID }, { form: FORM_ID }];
		const options: Partial<Runnable> = { onError: 'continueErrorOutput', retryOnFail: true };
		const run = await getNew('trigger', ofEach, failing, options);
		expect(service.sent).toHaveLength(4);
		expect([run.ids, run.errorItems.length]).toEqual([ids(1, 2), 1]);
		await returnsOnlyOther();
	});

	test('a run that n8n tries again gives each of them once', async () => {
		fail(OTHER_FORM_ID);
		serve(responsesOf(2));
		serve(responsesOf(2));
		serveOther();
		serve(responsesOf(2));
		serve(responsesOf(2));
		const failing = [{ form: OTHER_FORM_ID }, { form: FORM_ID }, { form: FORM_ID }];
		const options: Partial<Runnable> = { onError: 'continueErrorOutput', retryOnFail: true };
		expect((await getNew('trigger', ofEach, failing, options)).ids).toEqual(ids(9, 1, 2));
	});
});

test('works with an API key', async () => {
	serve(responsesOf(1));
	expect((await getNew('trigger', { authentication: 'apiKey' })).ids).toEqual(ids(1));
});

describe('responses that may be out of reach', () => {
	test('are hinted at when all 25 are new', async () => {
		serve(responsesOf(25));
		const { hints, items } = await getNew('trigger');
		expect(items).toHaveLength(25);
		const message = /^All 25 responses that the API shows of form .* were new/;
		expect(hints).toEqual([
			{ location: 'outputPane', message: expect.stringMatching(message) as string },
		]);
	});

	test.each<[string, WorkflowExecuteMode, number]>([
		['when fewer are new', 'trigger', 24],
		['in a manual run', 'manual', 25],
	])('are not hinted at %s', async (_, mode, count) => {
		serve(responsesOf(count));
		expect((await getNew(mode)).hints).toEqual([]);
	});
});

describe('a store that fails', () => {
	const collision = new Error('UNIQUE constraint failed');

	test('once is tried once more', async () => {
		failStore(collision);
		serve(responsesOf(2));
		expect((await getNew('trigger')).ids).toEqual(ids(1, 2));
		serve(responsesOf(2));
		expect((await getNew('trigger')).ids).toEqual([]);
	});

	test('twice lets all pass and says so in the log', async () => {
		const logs = keepLogs(type);
		failStore(collision, collision);
		serve(responsesOf(2));
		expect((await getNew('trigger')).ids).toEqual(ids(1, 2));
		expect(logs.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
			expect.stringMatching(/responses may run twice: UNIQUE constraint failed/),
		]);
	});
});
