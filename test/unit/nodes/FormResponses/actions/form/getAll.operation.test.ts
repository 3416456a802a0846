import type { IDataObject } from 'n8n-workflow';
import type { Form } from '../../../../../../nodes/FormResponses/transport/types';
import { aForm, anError, formsOf, idOf } from '../../../../kit/samples';
import { fakeService, ok, reply } from '../../../../kit/formService';
import { act, actOn } from '../operation.fixture';

/** Reads forms that are served in pages, with the index of the next form as cursor. */
async function read(forms: Form[], parameters: IDataObject = {}) {
	const service = fakeService();
	service.always('GET', '/forms', ({ query }) => {
		const limit = Number(query.limit);
		if (!(limit >= 1 && limit <= 100)) return reply(400, anError('invalid_request', 'Limit'));
		const start = query.cursor ? Number(query.cursor.slice(-12)) : 0;
		const next = start + limit;
		const nextCursor = next < forms.length ? idOf(next, 9) : null;
		return ok({ data: forms.slice(start, next), nextCursor });
	});
	const { items, hints, error } = await act('form:getAll', parameters);
	expect(error).toBeUndefined();
	const limits = service.sent.map(({ query }) => Number(query.limit));
	return { titles: items.map(({ json }) => json.title), limits, hints };
}

test.each<[forms: number, IDataObject, items: number, pages: number[]]>([
	[0, { returnAll: true }, 0, [100]],
	[260, {}, 50, [50]],
	[260, { limit: 1 }, 1, [1]],
	[260, { limit: 100 }, 100, [100]],
	[260, { limit: 101 }, 101, [100, 1]],
	[260, { limit: 250 }, 250, [100, 100, 50]],
	[260, { limit: 1_000 }, 260, [100, 100, 100]],
	[260, { returnAll: true }, 260, [100, 100, 100]],
	[260, { returnAll: true, limit: 1 }, 260, [100, 100, 100]],
	[200, { returnAll: true }, 200, [100, 100]],
	[5_000, { returnAll: true }, 5_000, Array<number>(50).fill(100)],
])('of %i forms with %j %i are read, in pages of %j', async (forms, parameters, items, pages) => {
	const { titles, limits } = await read(formsOf(forms), parameters);
	expect([titles.length, limits]).toEqual([items, pages]);
});

test('gives the forms as the API sent them', async () => {
	const page = ok({ data: formsOf(3), nextCursor: null });
	const { items } = await actOn('form:getAll', 'GET /forms', [page]);
	expect(items).toEqual(formsOf(3).map((json) => ({ json, pairedItem: { item: 0 } })));
});

const dated = (title: string, updatedAt: string, status = 'open') =>
	aForm({ title, status, updatedAt });

const documented = [
	dated('Contact us', '2026-02-05T00:00:00Z', 'published'),
	dated('Feedback 2', '2026-02-04T00:00:00Z', '2'),
	dated('CONTACT (old)', '2026-02-03T00:00:00Z', 'Closed'),
];

test.each<[IDataObject, string[]]>([
	[{ status: 'published' }, ['Contact us']],
	[{ status: ' CLOSED ' }, ['CONTACT (old)']],
	[{ status: 'publish' }, []],
	[{ titleContains: 'contact' }, ['Contact us', 'CONTACT (old)']],
	[{ titleContains: 'contact', status: 'closed' }, ['CONTACT (old)']],
	[{ titleContains: '={{ 2 }}' }, ['Feedback 2']],
	[{ status: '={{ 2 }}' }, ['Feedback 2']],
	[{ updatedAfter: '2026-02-03T12:00:00Z' }, ['Contact us', 'Feedback 2']],
	[{ updatedAfter: '2026-02-04T00:00:00Z' }, ['Contact us']],
	[{ updatedAfter: '2026-03-01T00:00:00Z' }, []],
])('the filters %j give %j', async (filters, expected) => {
	expect((await read(documented, { filters })).titles).toEqual(expected);
});

const noMatch = 'For at least one item, nothing that was read matches the filters.';

test.each<[IDataObject, Form[], string[]]>([
	[
		{ status: 'Open' },
		documented,
		['No form has the status "open". The forms that were read have: published, 2, Closed.'],
	],
	[{ status: 'closed', titleContains: 'feedback' }, documented, [noMatch]],
	[{ titleContains: 'Nothing' }, documented, [noMatch]],
	[{ titleContains: 'contact' }, documented, []],
	[{ status: 'open' }, [], []],
	[{ updatedAfter: '2026-03-01T00:00:00Z' }, documented, [noMatch]],
	[{ status: 'closed', updatedAfter: '2026-02-03T12:00:00Z' }, documented, [noMatch]],
])('the filters %j tell if no form is meant', async (filters, forms, messages) => {
	const { hints } = await read(forms, { filters });
	expect(hints).toEqual(messages.map((message) => ({ message, location: 'outputPane' })));
});

test('Updated After stops at the first older form', async () => {
	const forms = formsOf(1_000);
	const { updatedAt: updatedAfter } = forms[150];
	const { titles, limits } = await read(forms, { returnAll: true, filters: { updatedAfter } });
	expect([titles.length, limits]).toEqual([150, [100, 100]]);
});

test.each([
	[{ status: 'draft' }, ['Form 50', 'Form 100', 'Form 150'], [100, 100]],
	[{ titleContains: '50' }, ['Form 50', 'Form 150', 'Form 250'], [100, 100, 100]],
])('the limit counts what matches %j, and full pages are read to find it', async (...row) => {
	const [filters, titles, limits] = row;
	const forms = formsOf(300).map((form, index) => ({
		...form,
		status: index % 50 === 49 ? 'draft' : 'published',
	}));
	expect(await read(forms, { limit: 3, filters })).toMatchObject({ titles, limits });
});

const untitled = [null, undefined, 7].map((value) => ({ ...aForm(), title: value, status: value }));

test.each<[IDataObject, unknown[]]>([
	[{}, [null, undefined, 7, 'Contact']],
	[{ titleContains: 'n' }, ['Contact']],
	[{ status: 'published' }, ['Contact']],
	[{ titleContains: 7 }, [7]],
])(
	'a form that is not as documented does not hide the others, with %j',
	async (filters, expected) => {
		const { titles } = await read([...untitled, aForm()] as Form[], { filters });
		expect(titles).toEqual(expected);
	},
);

test('a form without a time is listed, unless only later forms are asked for', async () => {
	const untimed = { ...aForm({ title: 'Untimed' }), updatedAt: null } as never as Form;
	const forms = [untimed, ...documented];
	expect((await read(forms)).titles).toHaveLength(4);
	const filters = { updatedAfter: '2026-02-04T12:00:00Z' };
	expect((await read(forms, { filters })).titles).toEqual(['Contact us']);
});

test.each([0, -1, 1.5])('refuses the limit %p, before any request', async (limit) => {
	const { message, sent } = await actOn('form:getAll', 'GET /forms', [], { limit });
	const rule = 'Enter a whole number of at least 1.';
	expect([message, sent]).toEqual([`The parameter "Limit" is ${limit}. ${rule}`, []]);
});

test('a page of forms that cannot be identified is asked for again, and then told', async () => {
	const page = ok({ data: [{ ...aForm(), id: 7 }], nextCursor: null });
	const { message, sent } = await actOn('form:getAll', 'GET /forms', Array(4).fill(page));
	expect(message).toBe(
		'Could not list the forms: forms.example.com answered GET /forms with JSON whose data[0].id is not as documented. Report it to the form service.',
	);
	expect(sent).toHaveLength(4);
});
