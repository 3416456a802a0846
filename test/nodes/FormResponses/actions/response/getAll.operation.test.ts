import type { IDataObject } from 'n8n-workflow';
import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import { startClock } from '../../../../clock';
import { execute } from '../../../../in-process/execute';
import { anError, aResponse, FORM_ID, idOf, responsesOf } from '../../../../samples';
import { fakeService, ok, refused } from '../../../../service';

const type = new FormResponses();
const PATH = `/forms/${FORM_ID}/responses`;

const getResponses = async (parameters: IDataObject = {}) =>
	await execute({
		type,
		parameters: {
			resource: 'response',
			operation: 'getAll',
			formId: { __rl: true, mode: 'id', value: FORM_ID },
			...parameters,
		} as never,
	});

test('gives the newest 10 responses, newest first', async () => {
	const service = fakeService();
	service.on('GET', PATH, ok({ data: responsesOf(10) }));
	const { items } = await getResponses();
	expect(items.map(({ json }) => json.responseId)).toEqual(
		[10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => idOf(n, 2)),
	);
	expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
	expect(service.sent[0].query).toEqual({ limit: '10' });
});

test.each<[string, IDataObject]>([
	['list', { __rl: true, mode: 'list', value: FORM_ID, cachedResultName: 'Contact' }],
	['id', { __rl: true, mode: 'id', value: FORM_ID }],
	['url', { __rl: true, mode: 'url', value: `https://forms.example.com/forms/${FORM_ID}/x` }],
])('finds the form by %s', async (_, formId) => {
	const service = fakeService();
	service.on('GET', PATH, ok({ data: [] }));
	const { error } = await getResponses({ formId });
	expect(error).toBeUndefined();
	expect(service.calls()).toEqual([`GET ${PATH}`]);
});

test.each([1, 25])('asks for %i', async (responseLimit) => {
	const service = fakeService();
	service.on('GET', PATH, ok({ data: [] }));
	await getResponses({ responseLimit });
	expect(service.sent[0].query).toEqual({ limit: String(responseLimit) });
});

test.each([0, 26, 1.5, NaN])(
	'a limit of %p is refused by name, before any request',
	async (value) => {
		const service = fakeService();
		const { error } = await getResponses({ responseLimit: value });
		expect(error?.message).toBe(
			`The parameter "Limit" is ${value}. Enter a whole number from 1 to 25, the most the API gives.`,
		);
		expect(service.sent).toEqual([]);
	},
);

describe('filters', () => {
	const responses = [
		aResponse({ responseId: idOf(3, 2), completedAt: '2026-02-03T00:00:00Z' }),
		aResponse({
			responseId: idOf(2, 2),
			completedAt: '2026-02-02T00:00:00Z',
			respondentEmail: 'Alex@Example.com',
		}),
		aResponse({
			responseId: idOf(1, 2),
			completedAt: '2026-02-01T00:00:00Z',
			respondentEmail: null,
		}),
	];

	test.each<[IDataObject, number[]]>([
		[{}, [3, 2, 1]],
		[{ completedAfter: '2026-02-01T12:00:00Z' }, [3, 2]],
		[{ completedAfter: '2026-02-02T00:00:00Z' }, [3]],
		[{ completedBefore: '2026-02-02T00:00:00Z' }, [1]],
		[{ completedAfter: '2026-02-01T12:00:00Z', completedBefore: '2026-02-02T12:00:00Z' }, [2]],
		[{ respondentEmail: ' alex@example.COM ' }, [2]],
		[{ respondentEmail: 'nobody@example.com' }, []],
	])('%j', async (filters, expected) => {
		fakeService().on('GET', PATH, ok({ data: responses }));
		const { items } = await getResponses({ filters });
		expect(items.map(({ json }) => json.responseId)).toEqual(expected.map((n) => idOf(n, 2)));
	});

	test.each<[IDataObject, number]>([
		[{ completedBefore: '2026-02-02T12:00:00Z' }, 2],
		[{ completedAfter: '2026-02-01T12:00:00Z' }, 3],
		[{ respondentEmail: 'alex@example.com' }, 2],
	])('the limit counts what comes out of %j: all 25 are read', async (filters, expected) => {
		const service = fakeService();
		service.on('GET', PATH, ok({ data: responses }));
		const { items } = await getResponses({ responseLimit: 1, filters });
		expect(items.map(({ json }) => json.responseId)).toEqual([idOf(expected, 2)]);
		expect(service.sent[0].query).toEqual({ limit: '25' });
	});

	test('an email that an expression gives as a number finds nobody', async () => {
		fakeService().on('GET', PATH, ok({ data: responses }));
		const { items, error } = await getResponses({ filters: { respondentEmail: '={{ 7 }}' } });
		expect([items, error]).toEqual([[], undefined]);
	});
});

describe('hints that older responses are out of reach', () => {
	const day = (n: number) => new Date(Date.UTC(2026, 1, n)).toISOString();
	/** The nth of February, newest first. */
	const days = (count: number) =>
		Array.from({ length: count }, (_, index) => {
			const n = count - index;
			return aResponse({ responseId: idOf(n, 2), completedAt: day(n) });
		});

	test.each<[what: string, count: number, IDataObject, isHint: boolean, items: number]>([
		['all that the API gives', 25, { responseLimit: 25 }, true, 25],
		['fewer than it gives', 25, { responseLimit: 10 }, false, 10],
		['a form with fewer', 24, { responseLimit: 25 }, false, 24],
		['all newer than what is looked for', 25, { filters: { completedBefore: day(1) } }, true, 0],
		['some older than what is looked for', 25, { filters: { completedAfter: day(1) } }, false, 10],
		['none older', 25, { filters: { completedAfter: '2026-01-31' } }, true, 10],
		['nobody found', 25, { filters: { respondentEmail: 'x@example.com' } }, true, 0],
		['nobody found among fewer', 24, { filters: { respondentEmail: 'x@example.com' } }, false, 0],
	])('%s: of %i with %j %j', async (_, count, parameters, isHint, expected) => {
		const service = fakeService();
		service.always('GET', PATH, ({ query }) =>
			ok({ data: days(count).slice(0, Number(query.limit)) }),
		);
		const { items, hints } = await getResponses(parameters);
		expect(items).toHaveLength(expected);
		const message: unknown = expect.stringMatching(/newest 25 .* out of its reach\. .*Trigger\.$/);
		expect(hints).toEqual(isHint ? [{ message, location: 'outputPane' }] : []);
	});
});

test('one response that is odd comes as it is, and the others as ever', async () => {
	const odd = aResponse({ responseId: idOf(9, 2), answers: [{ label: null }] as never });
	fakeService().on('GET', PATH, ok({ data: [odd, ...responsesOf(2)] }));
	const { items, error } = await getResponses();
	expect(error).toBeUndefined();
	expect(items[0].json).toEqual(odd);
	expect(items.slice(1).map(({ json }) => json.responseId)).toEqual([idOf(2, 2), idOf(1, 2)]);
});

test('a list in which nothing is a response names the first odd place', async () => {
	startClock();
	fakeService().always('GET', PATH, ok({ data: [{ id: 1 }, { id: 2 }] }));
	const { items, error } = await getResponses();
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/with JSON whose data\[0\]\.data is not as documented/);
});

test('an API key may read responses', async () => {
	const service = fakeService();
	service.on('GET', PATH, ok({ data: responsesOf(1) }));
	const { items } = await getResponses({ authentication: 'apiKey' });
	expect(items).toHaveLength(1);
});

test('a form that is not there says so', async () => {
	fakeService().on('GET', PATH, refused(404, anError('not_found', 'No such form', 'Check the ID')));
	const { error } = await getResponses();
	expect(error?.message).toBe(
		`Could not read the responses of form ${FORM_ID}: the form was deleted or belongs to another workspace. Check its ID, and the workspace of the credential.`,
	);
});
