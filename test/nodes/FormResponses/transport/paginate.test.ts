import { paginate } from '../../../../nodes/FormResponses/transport/paginate';
import type { Page } from '../../../../nodes/FormResponses/transport/types';

/** Pages of one number each, linked by cursors. */
function book(pages: Record<string, Page<number>>) {
	const asked: Array<string | undefined> = [];
	const fetchPage = async (cursor: string | undefined) => {
		asked.push(cursor);
		return pages[cursor ?? 'first'];
	};
	return { asked, fetchPage };
}

async function readAll(pages: AsyncGenerator<Page<number>>, most = Infinity): Promise<number[]> {
	const all: number[] = [];
	for await (const { data } of pages) {
		all.push(...data);
		if (all.length >= most) break;
	}
	return all;
}

test('goes on until there is no next cursor', async () => {
	const { asked, fetchPage } = book({
		first: { data: [1, 2], nextCursor: 'a' },
		a: { data: [], nextCursor: 'b' },
		b: { data: [3], nextCursor: null },
	});
	expect(await readAll(paginate(fetchPage))).toEqual([1, 2, 3]);
	expect(asked).toEqual([undefined, 'a', 'b']);
});

test('reads no page that nobody wants', async () => {
	const { asked, fetchPage } = book({ first: { data: [1, 2], nextCursor: 'a' } });
	expect(await readAll(paginate(fetchPage), 2)).toEqual([1, 2]);
	expect(asked).toEqual([undefined]);
});

test.each(['a', 'b'])('the cursor %s again ends in a clear error, not in a loop', async (again) => {
	const { asked, fetchPage } = book({
		first: { data: [1], nextCursor: 'a' },
		a: { data: [2], nextCursor: 'b' },
		b: { data: [3], nextCursor: again },
	});
	await expect(readAll(paginate(fetchPage))).rejects.toThrow(/repeated a page cursor/);
	expect(asked).toEqual([undefined, 'a', 'b']);
});
