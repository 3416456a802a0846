import { paginate } from '../../../../../nodes/FormResponses/transport/paginate';
import type { Page } from '../../../../../nodes/FormResponses/transport/types';

/** Reads pages that are linked by cursors, until there are enough numbers. */
async function read(last: Page<number>, enough = Infinity) {
	const pages: Record<string, Page<number>> = {
		first: { data: [1, 2], nextCursor: 'a' },
		a: { data: [], nextCursor: 'b' },
		b: last,
	};
	const asked: Array<string | undefined> = [];
	const all: number[] = [];
	const fetchPage = async (cursor: string | undefined) => {
		asked.push(cursor);
		return pages[cursor ?? 'first'];
	};
	const error = await (async () => {
		for await (const { data } of paginate(fetchPage)) {
			all.push(...data);
			if (all.length >= enough) break;
		}
	})().catch(({ message }: Error) => message);
	return { all, asked, error };
}

const last = { data: [3], nextCursor: null };

test('reads until there is no next cursor', async () => {
	expect(await read(last)).toEqual({ all: [1, 2, 3], asked: [undefined, 'a', 'b'] });
});

test('reads no page that nobody wants', async () => {
	expect(await read(last, 2)).toEqual({ all: [1, 2], asked: [undefined] });
});

test.each(['a', 'b'])('the cursor %s again ends in a clear error, not in a loop', async (again) => {
	const { asked, error } = await read({ ...last, nextCursor: again });
	expect(error).toMatch(/repeated a page cursor/);
	expect(asked).toEqual([undefined, 'a', 'b']);
});
