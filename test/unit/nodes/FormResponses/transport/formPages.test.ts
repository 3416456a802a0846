import { formPages } from '../../../../../nodes/FormResponses/transport/formPages';
import type { Api, ApiRequest } from '../../../../../nodes/FormResponses/transport/types';
import { formsOf } from '../../../kit/samples';

/** What a service with three pages is asked. */
async function queriesOf(limit?: () => number, start?: string) {
	const queries: Array<ApiRequest['query']> = [];
	const cursors = ['a', 'b', null];
	const send = async ({ query }: ApiRequest) => {
		queries.push(query);
		return { data: formsOf(1), nextCursor: cursors.shift() };
	};
	const pages = formPages({ send } as Partial<Api> as Api, limit, start);
	while (!(await pages.next()).done);
	return queries;
}

test('reads full pages from the first to the last', async () => {
	const cursors = [{}, { cursor: 'a' }, { cursor: 'b' }];
	expect(await queriesOf()).toEqual(cursors.map((cursor) => ({ limit: 100, ...cursor })));
});

test('goes on where an earlier reading stopped, with as many forms as each page is to have', async () => {
	const limits = [3, 2, 1];
	expect(await queriesOf(() => limits.shift()!, 'start')).toEqual([
		{ limit: 3, cursor: 'start' },
		{ limit: 2, cursor: 'a' },
		{ limit: 1, cursor: 'b' },
	]);
});
