import type { INodeType } from 'n8n-workflow';
import { FormResponses } from '../../../../nodes/FormResponses/FormResponses.node';
import { FormResponsesTrigger } from '../../../../nodes/FormResponses/FormResponsesTrigger.node';
import { startClock } from '../../../clock';
import { searchList } from '../../../in-process/listSearch';
import { aForm, anError, FORM_ID, formsOf, idOf } from '../../../samples';
import { fakeService, ok, refused } from '../../../service';

const action = new FormResponses();

const search = async (
	filter?: string,
	token?: string,
	authentication = 'oAuth2',
	type: INodeType = action,
) => await searchList({ type, parameters: { authentication } }, 'searchForms', filter, token);

/** Serves pages of a hundred forms, linked by cursors. */
function servePages(count: number) {
	const service = fakeService();
	const forms = formsOf(count);
	service.always('GET', '/forms', ({ query }) => {
		const start = query.cursor ? Number(query.cursor.slice(-12)) : 0;
		const next = start + Number(query.limit);
		const nextCursor = next < count ? idOf(next, 9) : null;
		return ok({ data: forms.slice(start, next), nextCursor });
	});
	return service;
}

test.each<[string, INodeType]>([
	['the action node', action],
	['the trigger', new FormResponsesTrigger()],
])('%s shows titles and gives ids', async (_, type) => {
	fakeService().on('GET', '/forms', ok({ data: [aForm()], nextCursor: null }));
	expect(await search(undefined, undefined, 'oAuth2', type)).toEqual({
		results: [{ name: 'Contact', value: FORM_ID }],
		paginationToken: undefined,
	});
});

test('reads a page on demand', async () => {
	const service = servePages(250);
	const first = await search();
	expect(first.results).toHaveLength(100);
	expect(service.sent).toHaveLength(1);
	const second = await search('', first.paginationToken as string);
	const third = await search('', second.paginationToken as string);
	expect(third.results.map(({ name }) => name)).toContain('Form 250');
	expect(third.paginationToken).toBeUndefined();
	expect(service.sent.map(({ query }) => query.limit)).toEqual(['100', '100', '100']);
});

test.each([
	['FORM 2', 62],
	[' form 250 ', 1],
	[idOf(7, 1), 1],
	[` ${idOf(7, 1).toUpperCase()} `, 1],
	['nothing like it', 0],
])('finds %j', async (filter, count) => {
	servePages(250);
	let results: unknown[] = [];
	let token: string | undefined;
	do {
		const page = await search(filter, token);
		results = [...results, ...page.results];
		token = page.paginationToken as string | undefined;
	} while (token !== undefined);
	expect(results).toHaveLength(count);
});

test('tells forms with one title apart, also on different pages, and names those without any', async () => {
	const page = (titles: unknown[], first: number, nextCursor: string | null) => {
		const forms = titles.map((title, n) =>
			aForm({ id: idOf(first + n, 1), title: title as string }),
		);
		return ok({ data: forms, nextCursor });
	};
	const service = fakeService();
	service.on(
		'GET',
		'/forms',
		page(['Contact', 'Survey', 'Contact ', ...Array(20).fill('')], 0, idOf(1, 9)),
		page(['Poll', 'Survey', null, { a: 1 }, 7], 30, null),
	);
	const first = await search();
	expect(first.results.slice(0, 4).map(({ name }) => name)).toEqual([
		'Contact (…000000)',
		'Survey',
		'Contact (…000002)',
		'Untitled (…000003)',
	]);
	const second = await search('', first.paginationToken as string);
	expect(second.results.map(({ name }) => name)).toEqual([
		'Poll',
		'Survey (…000031)',
		'Untitled (…000032)',
		'Untitled (…000033)',
		'7',
	]);
	expect(service.sent[1].query.cursor).toBe(idOf(1, 9));
});

test('finds a title whatever the case and the spelling of its accents', async () => {
	fakeService().on(
		'GET',
		'/forms',
		ok({ data: [aForm({ title: 'CAFE\u0301' })], nextCursor: null }),
	);
	expect((await search('café')).results).toHaveLength(1);
});

test('reads on until something is found, so that no list seems empty that is not', async () => {
	const service = servePages(1_000);
	const { results } = await search('form 1000');
	expect(results).toEqual([{ name: 'Form 1000', value: idOf(1_000, 1) }]);
	expect(service.sent).toHaveLength(10);
});

test('goes on later where reading takes longer than anyone watches a list', async () => {
	let now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	fakeService().always('GET', '/forms', ({ query }) => {
		now += 8_000;
		const page = Number(query.cursor?.slice(-12) ?? 0);
		return ok({ data: [aForm({ id: idOf(page, 1) })], nextCursor: idOf(page + 1, 9) });
	});
	const first = await search('contact');
	expect(first.results.map(({ value }) => value)).toEqual([idOf(0, 1), idOf(1, 1), idOf(2, 1)]);
	const second = await search('contact', first.paginationToken as string);
	expect(second.results[0].value).toBe(idOf(3, 1));
});

test('an API key is told why there is no list, and what to do; nothing is sent', async () => {
	const service = fakeService();
	await expect(search('', undefined, 'apiKey')).rejects.toThrow(
		/^An API key cannot list forms.*Choose "By ID"/,
	);
	expect(service.sent).toEqual([]);
});

test('a missing scope is told, not shown as an empty list', async () => {
	fakeService().on('GET', '/forms', refused(403, anError('insufficient_scope', 'No')));
	await expect(search()).rejects.toThrow(/lacks the scope forms:read/);
});

test('waits for a rate limit, but not longer than anyone watches a list', async () => {
	const clock = startClock();
	const slow = refused(429, anError('rate_limited', 'Slow'), { 'Retry-After': '3' });
	const service = fakeService();
	service.on('GET', '/forms', slow, ok({ data: [], nextCursor: null }));
	await search();
	expect(clock.elapsed()).toBeGreaterThanOrEqual(3_000);

	service.always('GET', '/forms', slow);
	await expect(search()).rejects.toThrow(/limits requests/);
	expect(clock.elapsed()).toBeLessThanOrEqual(25_000);
});
