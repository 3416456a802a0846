import { LoadOptionsContext } from 'n8n-core';
import type { INodeType } from 'n8n-workflow';
import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import { FormResponsesTrigger } from '../../../../../nodes/FormResponses/FormResponsesTrigger.node';
import { startClock } from '../../../kit/clock';
import { install } from '../../../kit/workflow';
import { aForm, anError, FORM_ID, formsOf, idOf } from '../../../kit/samples';
import { fakeService, ok, reply, type FakeService } from '../../../kit/formService';

const action: INodeType = new FormResponses();

/** Opens the list, or scrolls on in it, as the editor does. */
async function search(
	filter?: string,
	token?: unknown,
	{ type = action, authentication = 'oAuth2' } = {},
) {
	const { workflow, node, additionalData } = install({ type, parameters: { authentication } });
	additionalData.currentNodeParameters = node.parameters;
	const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.formId');
	const { searchForms } = type.methods!.listSearch!;
	const { results, paginationToken } = await searchForms.call(context, filter, token as string);
	return { results, token: paginationToken, names: results.map(({ name }) => name) };
}

let service: FakeService;
beforeEach(() => (service = fakeService()));

/** Serves pages of a hundred forms, linked by cursors. */
function servePages(count: number) {
	const forms = formsOf(count);
	service.always('GET', '/forms', ({ query }) => {
		const start = query.cursor ? Number(query.cursor.slice(-12)) : 0;
		const next = start + Number(query.limit);
		const nextCursor = next < count ? idOf(next, 9) : null;
		return ok({ data: forms.slice(start, next), nextCursor });
	});
}

test.each([action, new FormResponsesTrigger()])(
	'$description.displayName shows titles and gives ids',
	async (type) => {
		service.on('GET', '/forms', ok({ data: [aForm()], nextCursor: null }));
		const { results, token } = await search(undefined, undefined, { type });
		expect([results, token]).toEqual([[{ name: 'Contact', value: FORM_ID }], undefined]);
	},
);

test('reads a page on demand', async () => {
	servePages(250);
	const first = await search();
	expect([first.results.length, service.sent.length]).toEqual([100, 1]);
	const second = await search('', first.token);
	const third = await search('', second.token);
	expect(third.names).toContain('Form 250');
	expect(third.token).toBeUndefined();
	expect(service.sent.map(({ query }) => query.limit)).toEqual(['100', '100', '100']);
});

test.each([
	['FORM 2', 62],
	[' form 250 ', 1],
	[idOf(7, 1), 1],
	[` ${idOf(7, 1).toUpperCase()} `, 1],
	['nothing like it', 0],
])('a search for %j finds %i forms', async (filter, count) => {
	servePages(250);
	let found = 0;
	let token: unknown;
	do {
		const page = await search(filter, token);
		found += page.results.length;
		token = page.token;
	} while (token !== undefined);
	expect(found).toBe(count);
});

test('tells a form from those of earlier pages with its title, and names those without any', async () => {
	const page = (titles: unknown[], first: number, nextCursor: string | null) => {
		const named = (title: unknown, n: number) =>
			aForm({ id: idOf(first + n, 1), title: title as string });
		return ok({ data: titles.map(named), nextCursor });
	};
	const titles = ['Survey', ...Array<string>(19).fill('Contact ')];
	service.on('GET', '/forms', page(titles, 0, idOf(1, 9)));
	service.on('GET', '/forms', page(['Survey', null, { a: 1 }, 7], 30, null));
	const first = await search();
	expect(first.names.slice(0, 2)).toEqual(['Survey', 'Contact (…000001)']);
	const names = ['Survey (…000030)', 'Untitled (…000031)', 'Untitled (…000032)', '7'];
	expect((await search('', first.token)).names).toEqual(names);
	expect(service.sent[1].query.cursor).toBe(idOf(1, 9));
});

test('reads on until something is found, so that no list seems empty that is not', async () => {
	servePages(1_000);
	const { results } = await search('form 1000');
	expect(results).toEqual([{ name: 'Form 1000', value: idOf(1_000, 1) }]);
	expect(service.sent).toHaveLength(10);
});

test('continues later where reading takes longer than anyone watches a list', async () => {
	startClock();
	service.always('GET', '/forms', ({ query }) => {
		jest.advanceTimersByTime(4_000);
		const page = Number(query.cursor?.slice(-12) ?? 0);
		return ok({ data: [aForm({ id: idOf(page, 1) })], nextCursor: idOf(page + 1, 9) });
	});
	const first = await search('contact');
	expect(first.results.map(({ value }) => value)).toEqual([idOf(0, 1), idOf(1, 1), idOf(2, 1)]);
	expect((await search('contact', first.token)).results[0].value).toBe(idOf(3, 1));
});

test('an API key is told why there is no list, and what to do; nothing is sent', async () => {
	const searching = search('', undefined, { authentication: 'apiKey' });
	await expect(searching).rejects.toThrow(
		/^An API key cannot list forms.*Choose "By ID" or "By URL"/,
	);
	expect(service.sent).toEqual([]);
});

test('a missing scope is told, not shown as an empty list', async () => {
	service.on('GET', '/forms', reply(403, anError('insufficient_scope', 'No')));
	await expect(search()).rejects.toThrow(/lacks the scope forms:read/);
});

test('waits for a rate limit, but not longer than anyone watches a list', async () => {
	const clock = startClock();
	const slow = reply(429, anError('rate_limited', 'Slow'), { 'Retry-After': '3' });
	service.on('GET', '/forms', slow, ok({ data: [], nextCursor: null }));
	await search();
	expect(clock.elapsed()).toBeGreaterThanOrEqual(3_000);

	service.always('GET', '/forms', slow);
	await expect(search()).rejects.toThrow(/limits requests/);
	expect(clock.elapsed()).toBeLessThanOrEqual(25_000);
});
