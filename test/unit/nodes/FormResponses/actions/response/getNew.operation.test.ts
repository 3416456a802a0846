import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import { emptyStores, recorded } from '../../../../kit/processedStore';
import type { Runnable } from '../../../../kit/execute';
import {
	anError,
	aResponse,
	FORM_ID,
	idOf,
	OTHER_FORM_ID,
	responsesOf,
	SIMPLIFIED,
} from '../../../../kit/samples';
import { fakeService, ok, reply, type FakeService, type Reply } from '../../../../kit/formService';
import { act, formBy } from '../operation.fixture';

let service: FakeService;

beforeEach(() => {
	emptyStores();
	service = fakeService();
});

const serve = (data: unknown[], formId = FORM_ID) =>
	service.on('GET', `/forms/${formId}/responses`, ok({ data }));

async function getNew(
	mode: WorkflowExecuteMode = 'trigger',
	parameters: IDataObject = {},
	run: Partial<Runnable> = {},
) {
	const ran = await act('response:getNew', parameters, { mode, ...run });
	return { ...ran, ids: ran.items.map(({ json }) => json.responseId) };
}

const ids = (...numbers: number[]) => numbers.map((n) => idOf(n, 2));

test('gives what no earlier production run gave', async () => {
	serve(responsesOf(2));
	expect((await getNew()).ids).toEqual(ids(1, 2));
	serve(responsesOf(3));
	expect((await getNew()).ids).toEqual(ids(3));
	serve(responsesOf(3));
	expect((await getNew()).ids).toEqual([]);
});

test('with an API key, reads all that the API gives, and gives it simplified', async () => {
	serve([aResponse()]);
	const { items } = await getNew('trigger', { authentication: 'apiKey' });
	expect(items).toEqual([{ json: SIMPLIFIED, pairedItem: { item: 0 } }]);
	expect(service.sent.map(({ query }) => query)).toEqual([{ limit: '25' }]);
});

test.each(['manual', 'evaluation'] as const)('a run of mode %s remembers nothing', async (mode) => {
	serve(responsesOf(2));
	expect((await getNew(mode)).ids).toEqual(ids(1, 2));
	expect(recorded()).toEqual([]);
	serve(responsesOf(2));
	expect((await getNew()).ids).toEqual(ids(1, 2));
});

test('many items that read one form share its responses, and none comes twice', async () => {
	for (let n = 0; n < 4; n++) serve(responsesOf(2));
	const options = { maxConcurrency: 50 };
	const { items } = await getNew('trigger', { options }, { items: [{}, {}, {}, {}] });
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }]);
});

describe('with one node for several forms', () => {
	const both = [FORM_ID, OTHER_FORM_ID];
	const gone = reply(404, anError('not_found', 'Gone'));

	const readEach = async (forms = both, run: Partial<Runnable> = {}) =>
		await getNew(
			'trigger',
			{ formId: formBy('id', '={{ $json.form }}') },
			{ items: forms.map((form) => ({ form })), ...run },
		);

	function serveOther(reply?: Reply) {
		const other = aResponse({ formId: OTHER_FORM_ID, responseId: idOf(9, 2) });
		service.on('GET', `/forms/${OTHER_FORM_ID}/responses`, reply ?? ok({ data: [other] }));
	}

	/** What a further run gives, which finds both forms. */
	async function readAgain() {
		serve(responsesOf(2));
		serveOther();
		return (await readEach()).ids;
	}

	test('a form that does not exist fails the run, which counts for nothing', async () => {
		serve(responsesOf(2));
		serveOther(gone);
		const { error } = await readEach();
		expect(error?.message).toContain('the form does not exist');
		expect(recorded()).toEqual([]);
		expect(await readAgain()).toEqual(ids(1, 2, 9));
	});

	test('a form that does not exist fails its own item, with an error output', async () => {
		serve(responsesOf(2));
		serveOther(gone);
		const run = await readEach(both, { onError: 'continueErrorOutput' });
		expect([run.ids, run.errorItems.length]).toEqual([ids(1, 2), 1]);
		expect(await readAgain()).toEqual(ids(9));
	});

	test('a run that is canceled counts for nothing', async () => {
		let cancel = () => {};
		serve(responsesOf(2));
		service.always('GET', `/forms/${OTHER_FORM_ID}/responses`, () => {
			cancel();
			return ok({ data: [] });
		});
		const { status } = await readEach(both, { onStart: (stop) => (cancel = stop) });
		expect([status, recorded()]).toEqual(['canceled', []]);
		serve(responsesOf(2));
		expect((await getNew()).ids).toEqual(ids(1, 2));
	});

	const twice = { onError: 'continueErrorOutput', retryOnFail: true } as const;

	test('a run that n8n tries again, as its first item is an error, counts once', async () => {
		serveOther(gone);
		serve(responsesOf(2));
		serveOther(gone);
		serve(responsesOf(2));
		const run = await readEach([OTHER_FORM_ID, FORM_ID], twice);
		expect(service.sent).toHaveLength(4);
		expect([run.ids, run.errorItems.length]).toEqual([ids(1, 2), 1]);
		expect(await readAgain()).toEqual(ids(9));
	});

	test('a run that n8n tries again gives each of them once', async () => {
		serveOther(gone);
		serveOther();
		for (let n = 0; n < 4; n++) serve(responsesOf(2));
		expect((await readEach([OTHER_FORM_ID, FORM_ID, FORM_ID], twice)).ids).toEqual(ids(9, 1, 2));
	});
});

test.each<[WorkflowExecuteMode, count: number, hints: number]>([
	['trigger', 25, 1],
	['trigger', 24, 0],
	['manual', 25, 0],
])(
	'in a run of mode %s, of %i new ones, %i hint says that older ones may be out of reach',
	async (mode, count, times) => {
		serve(responsesOf(count));
		const { hints, items } = await getNew(mode);
		expect(items).toHaveLength(count);
		const message: unknown = expect.stringMatching(
			/^All 25 responses that the API shows of form .* were new/,
		);
		expect(hints).toEqual(Array(times).fill({ location: 'outputPane', message }));
	},
);
