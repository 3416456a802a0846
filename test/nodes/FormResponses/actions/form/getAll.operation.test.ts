import type { IDataObject } from 'n8n-workflow';
import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import type { Form } from '../../../../../nodes/FormResponses/transport/types';
import { execute } from '../../../../in-process/execute';
import { aForm, anError, formsOf, idOf } from '../../../../samples';
import { startClock } from '../../../../clock';
import { fakeService, ok, refused } from '../../../../service';

const type = new FormResponses();

const getForms = async (
	parameters: IDataObject,
	options: { onError?: 'continueRegularOutput' } = {},
) =>
	await execute({
		...options,
		type,
		parameters: { resource: 'form', operation: 'getAll', ...parameters } as never,
	});

/** Serves forms in pages, with the index of the next form as cursor. */
function serve(forms: Form[]) {
	const service = fakeService();
	service.always('GET', '/forms', ({ query }) => {
		const limit = Number(query.limit);
		if (!(limit >= 1 && limit <= 100)) return refused(400, anError('invalid_request', 'Limit'));
		const start = query.cursor ? Number(query.cursor.slice(-12)) : 0;
		const next = start + limit;
		return ok({
			data: forms.slice(start, next),
			nextCursor: next < forms.length ? idOf(next, 9) : null,
		});
	});
	const limits = () => service.sent.map(({ query }) => Number(query.limit));
	return { service, limits };
}

const titles = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.title);

test('gives one item for each form, as the API sent it', async () => {
	const forms = formsOf(3);
	serve(forms);
	const { items } = await getForms({});
	expect(items).toEqual(forms.map((json) => ({ json, pairedItem: { item: 0 } })));
});

test('no forms, no items', async () => {
	serve([]);
	const { items, error } = await getForms({ returnAll: true });
	expect([items, error]).toEqual([[], undefined]);
});

describe('how much is read', () => {
	test.each<[IDataObject, number, number[]]>([
		[{}, 50, [50]],
		[{ limit: 1 }, 1, [1]],
		[{ limit: 100 }, 100, [100]],
		[{ limit: 101 }, 101, [100, 1]],
		[{ limit: 250 }, 250, [100, 100, 50]],
		[{ limit: 1_000 }, 260, [100, 100, 100]],
		[{ returnAll: true }, 260, [100, 100, 100]],
		[{ returnAll: true, limit: 1 }, 260, [100, 100, 100]],
	])('%j of 260 forms: %i items by pages of %j', async (parameters, count, expected) => {
		const { limits } = serve(formsOf(260));
		const { items } = await getForms(parameters);
		expect(items).toHaveLength(count);
		expect(limits()).toEqual(expected);
	});

	test('no page in vain where the forms end with a full page', async () => {
		const { limits } = serve(formsOf(200));
		const { items } = await getForms({ returnAll: true });
		expect(items).toHaveLength(200);
		expect(limits()).toEqual([100, 100]);
	});

	test('5,000 forms take exactly 50 requests', async () => {
		const { limits } = serve(formsOf(5_000));
		const { items } = await getForms({ returnAll: true });
		expect(items).toHaveLength(5_000);
		expect(limits()).toEqual(Array(50).fill(100));
	});

	test.each([0, -1, 1.5, NaN])(
		'a limit of %p is refused by name, before any request',
		async (limit) => {
			const { service } = serve(formsOf(3));
			const { error } = await getForms({ limit });
			expect(error?.message).toBe(
				`The parameter "Limit" is ${limit}. Enter a whole number of at least 1.`,
			);
			expect(service.sent).toEqual([]);
		},
	);

	test('a cursor that repeats ends in a clear error', async () => {
		const service = fakeService();
		service.always('GET', '/forms', ok({ data: formsOf(100), nextCursor: idOf(1, 9) }));
		const { error } = await getForms({ returnAll: true });
		expect(error?.message).toMatch(/repeated a page cursor/);
		expect(service.sent).toHaveLength(2);
	});
});

describe('filters', () => {
	const forms = [
		aForm({ title: 'Contact us', status: 'published', updatedAt: '2026-02-05T00:00:00Z' }),
		aForm({ title: 'Feedback', status: 'draft', updatedAt: '2026-02-04T00:00:00Z' }),
		aForm({ title: 'CONTACT (old)', status: 'Closed', updatedAt: '2026-02-03T00:00:00Z' }),
	];

	test.each<[IDataObject, string[]]>([
		[{ status: 'published' }, ['Contact us']],
		[{ status: ' CLOSED ' }, ['CONTACT (old)']],
		[{ status: 'publish' }, []],
		[{ titleContains: 'contact' }, ['Contact us', 'CONTACT (old)']],
		[{ titleContains: 'contact', status: 'closed' }, ['CONTACT (old)']],
		[{ updatedAfter: '2026-02-03T12:00:00Z' }, ['Contact us', 'Feedback']],
		[{ updatedAfter: '2026-02-04T00:00:00Z' }, ['Contact us']],
		[{ updatedAfter: '2026-03-01T00:00:00Z' }, []],
	])('%j', async (filters, expected) => {
		serve(forms);
		const { items } = await getForms({ filters });
		expect(titles(items)).toEqual(expected);
	});

	test.each<[IDataObject, string[]]>([
		[{ titleContains: '={{ 2 }}' }, ['Week 2']],
		[{ status: '={{ 2 }}' }, ['Week 1']],
	])('of what expressions give: %j', async (filters, expected) => {
		serve([aForm({ title: 'Week 2', status: 'open' }), aForm({ title: 'Week 1', status: '2' })]);
		const { items, error } = await getForms({ filters });
		expect(error).toBeUndefined();
		expect(titles(items)).toEqual(expected);
	});

	test('Updated After stops at the first older form', async () => {
		const all = formsOf(1_000);
		const { limits } = serve(all);
		const { items } = await getForms({
			returnAll: true,
			filters: { updatedAfter: all[150].updatedAt },
		});
		expect(items).toHaveLength(150);
		expect(limits()).toEqual([100, 100]);
	});

	test('the limit counts what matches, and full pages are read to find it', async () => {
		const all = formsOf(300).map((form, index) => ({
			...form,
			status: index % 50 === 49 ? 'draft' : 'published',
		}));
		const { limits } = serve(all);
		const { items } = await getForms({ limit: 3, filters: { status: 'draft' } });
		expect(titles(items)).toEqual(['Form 50', 'Form 100', 'Form 150']);
		expect(limits()).toEqual([100, 100]);
	});
});

describe('a form that is not as documented', () => {
	const odd = [null, undefined, 7].map((value) => ({ ...aForm(), title: value, status: value }));
	const forms = [...odd, aForm()] as Form[];

	test.each<[IDataObject, unknown[]]>([
		[{}, [null, undefined, 7, 'Contact']],
		[{ titleContains: 'n' }, ['Contact']],
		[{ status: 'published' }, ['Contact']],
		[{ titleContains: 7 }, [7]],
	])('does not hide the others, with %j', async (filters, expected) => {
		serve(forms);
		const { items, error } = await getForms({ filters });
		expect(error).toBeUndefined();
		expect(titles(items)).toEqual(expected);
	});

	test('without a time it is there, but none that was updated after one', async () => {
		const later = aForm({ title: 'Later', updatedAt: '2026-02-05T00:00:00Z' });
		const untimed = { ...aForm({ title: 'Untimed' }), updatedAt: null };
		const earlier = aForm({ title: 'Earlier', updatedAt: '2026-02-03T00:00:00Z' });
		serve([untimed, later, earlier] as Form[]);
		expect(titles((await getForms({})).items)).toEqual(['Untimed', 'Later', 'Earlier']);
		const { items } = await getForms({ filters: { updatedAfter: '2026-02-04' } });
		expect(titles(items)).toEqual(['Later']);
	});

	test('without an ID: the error names the request and the place', async () => {
		startClock();
		const data = [{ ...aForm(), id: 7 }];
		fakeService().always('GET', '/forms', ok({ data, nextCursor: null }));
		const { error, items } = await getForms({});
		expect(error?.message).toBe(
			'Could not list the forms: forms.example.com answered GET /forms with JSON whose data[0].id is not as documented. Report it to the form service.',
		);
		expect(items).toEqual([]);
	});
});

test('an API key is told that it cannot list forms', async () => {
	fakeService().on(
		'GET',
		'/forms',
		refused(403, anError('insufficient_scope', 'Scope missing', 'Use another token')),
	);
	const { error } = await getForms({ authentication: 'apiKey' });
	expect(error?.message).toBe(
		'Could not list the forms: an API key can only read responses. Use an OAuth2 credential instead.',
	);
});
