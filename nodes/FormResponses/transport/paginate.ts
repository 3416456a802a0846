import type { Page } from './types';

/**
 * Reads a cursor-paged list lazily.
 *
 * @param fetchPage gets the cursor of the page, undefined for the first
 * @throws Error if the service repeats a cursor, which would never end
 */
export async function* paginate<Item>(
	fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Page<Item>> {
	const seen = new Set<string>();
	let cursor: string | undefined;
	for (;;) {
		const page = await fetchPage(cursor);
		yield page;
		const { nextCursor } = page;
		if (nextCursor === null) return;
		if (seen.has(nextCursor)) {
			throw new Error(
				'The form service repeated a page cursor, so the list would never end. Try again; if it happens again, report it to the form service.',
			);
		}
		seen.add(nextCursor);
		cursor = nextCursor;
	}
}
