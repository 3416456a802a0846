import type { IDataObject } from 'n8n-workflow';
import type { ResponseEnvelope } from '../../../../../../nodes/FormResponses/transport/types';
import { aResponse, FORM_ID, idOf, responsesOf, SIMPLIFIED } from '../../../../kit/samples';
import { fakeService, ok } from '../../../../kit/formService';
import { act, actOn, formBy } from '../operation.fixture';

const PATH = `/forms/${FORM_ID}/responses`;

/** Reads the responses of a form, as many as are asked for. */
async function read(
	responses: ResponseEnvelope[],
	parameters: IDataObject = {},
	inputs: IDataObject[] = [{}],
) {
	const service = fakeService();
	service.always('GET', PATH, ({ query }) => ok({ data: responses.slice(0, Number(query.limit)) }));
	const { items, hints, error } = await act('response:getAll', parameters, { items: inputs });
	expect(error).toBeUndefined();
	const queries = service.sent.map(({ query }) => query);
	return { items, hints, ids: items.map(({ json }) => json.responseId), queries };
}

const ids = (...numbers: number[]) => numbers.map((n) => idOf(n, 2));

test('gives the newest 10 responses, newest first', async () => {
	const { ids: found } = await read(responsesOf(12));
	expect(found).toEqual(ids(12, 11, 10, 9, 8, 7, 6, 5, 4, 3));
});

const inUrl = formBy('url', `https://forms.example.com/forms/${FORM_ID}/x`);

test.each<[IDataObject, limit: string]>([
	[{ authentication: 'apiKey' }, '10'],
	[{ formId: { ...formBy('list', FORM_ID), cachedResultName: 'Contact' } }, '10'],
	[{ formId: inUrl, responseLimit: 1 }, '1'],
	[{ responseLimit: 25 }, '25'],
])('with %j asks for the newest %s, and gives them', async (parameters, limit) => {
	const { items, queries } = await read([aResponse()], parameters);
	expect(items).toEqual([{ json: SIMPLIFIED, pairedItem: { item: 0 } }]);
	expect(queries).toEqual([{ limit }]);
});

const day = (n: number) => new Date(Date.UTC(2026, 1, n)).toISOString();

/** The nth of February. */
const onDay = (n: number, respondentEmail: string | null = 'robin@example.com') =>
	aResponse({ responseId: idOf(n, 2), completedAt: day(n), respondentEmail });

const emails = [onDay(3), onDay(2, 'Alex@Example.com'), onDay(1, null)];

test.each<[IDataObject, number[]]>([
	[{}, [3, 2, 1]],
	[{ completedAfter: '2026-02-01T12:00:00Z' }, [3, 2]],
	[{ completedAfter: '2026-02-02T00:00:00Z' }, [3]],
	[{ completedBefore: '2026-02-02T00:00:00Z' }, [1]],
	[{ completedAfter: '2026-02-01T12:00:00Z', completedBefore: '2026-02-02T12:00:00Z' }, [2]],
	[{ respondentEmail: ' alex@example.COM ' }, [2]],
	[{ respondentEmail: 'nobody@example.com' }, []],
	[{ respondentEmail: '={{ 7 }}' }, []],
])('the filters %j give %j', async (filters, expected) => {
	expect((await read(emails, { filters })).ids).toEqual(ids(...expected));
});

test.each<[IDataObject, number]>([
	[{ completedBefore: '2026-02-02T12:00:00Z' }, 2],
	[{ completedAfter: '2026-02-01T12:00:00Z' }, 3],
	[{ respondentEmail: 'alex@example.com' }, 2],
])('the limit counts what comes out of %j: all 25 are read', async (filters, expected) => {
	const { ids: found, queries } = await read(emails, { responseLimit: 1, filters });
	expect(found).toEqual(ids(expected));
	expect(queries).toEqual([{ limit: '25' }]);
});

const message = 'For at least one item, nothing that was read matches the filters.';
const noMatch = { message, location: 'outputPane' };

const nobody = { filters: { respondentEmail: 'x@example.com' } };

test.each<[what: string, count: number, IDataObject, isHint: boolean, items: number]>([
	['all that the API gives', 25, { responseLimit: 25 }, true, 25],
	['fewer than it gives', 25, { responseLimit: 10 }, false, 10],
	['a form with fewer', 24, { responseLimit: 25 }, false, 24],
	['all newer than what is looked for', 25, { filters: { completedBefore: day(1) } }, true, 0],
	['some older than what is looked for', 25, { filters: { completedAfter: day(1) } }, false, 10],
	['none older', 25, { filters: { completedAfter: '2026-01-31' } }, true, 10],
	['nobody found', 25, nobody, true, 0],
	['nobody found among fewer', 24, nobody, false, 0],
	['nobody found in a form without responses', 0, nobody, false, 0],
])(
	'%s, of %i with %j: a hint that older ones are out of reach is %j',
	async (_, count, parameters, isHint, expected) => {
		const days = Array.from({ length: count }, (__, index) => onDay(count - index));
		const { items, hints } = await read(days, parameters);
		expect(items).toHaveLength(expected);
		const message: unknown = expect.stringMatching(/newest 25 .* out of its reach\. .*Trigger\.$/);
		const reach = { message, location: 'outputPane' };
		expect(hints).toEqual([
			...(isHint ? [reach] : []),
			...(expected === 0 && count > 0 ? [noMatch] : []),
		]);
	},
);

const range = 'Enter a whole number from 1 to 25, the most the API gives.';
const backwards = { completedAfter: day(2), completedBefore: day(1) };

test.each<[IDataObject, told: string]>([
	[{ responseLimit: 0 }, `The parameter "Limit" is 0. ${range}`],
	[{ responseLimit: 26 }, `The parameter "Limit" is 26. ${range}`],
	[{ filters: backwards }, 'The filter "Completed After" is later than "Completed Before".'],
])('refuses %j, before any request', async (parameters, told) => {
	const { message, sent } = await actOn('response:getAll', `GET ${PATH}`, [], parameters);
	expect([message, sent]).toEqual([told, []]);
});

test('a list in which no response can be identified is asked for again, and then told', async () => {
	const list = ok({ data: [{ id: 1 }, { id: 2 }] });
	const { message, sent } = await actOn('response:getAll', `GET ${PATH}`, Array(4).fill(list));
	expect(message).toBe(
		`Could not read the responses of form ${FORM_ID}: forms.example.com answered GET ${PATH} with JSON whose data[0].data is not as documented. Report it to the form service.`,
	);
	expect(sent).toHaveLength(4);
});

test('a time without length has no responses, which is told once for all items', async () => {
	const filters = { completedAfter: day(2), completedBefore: day(2) };
	const { items, hints } = await read(responsesOf(3), { filters }, [{}, {}]);
	expect([items, hints]).toEqual([[], [noMatch]]);
});

test('one response that is odd comes as it is, and the others as ever', async () => {
	const odd = aResponse({ responseId: idOf(9, 2), answers: [{ label: null }] as never });
	const { items, ids: found } = await read([odd, ...responsesOf(2)]);
	expect(items[0].json).toEqual(odd);
	expect(found.slice(1)).toEqual(ids(2, 1));
});
