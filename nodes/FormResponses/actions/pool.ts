/**
 * Maps items, `concurrency` at a time, and keeps their order. After an error, starts no further item and throws
 * the first error once the running ones have ended.
 */
export async function mapPool<In, Out>(
	items: In[],
	concurrency: number,
	work: (item: In, index: number) => Promise<Out>,
): Promise<Out[]> {
	const results = new Array<Out>(items.length);
	const errors: Error[] = [];
	let next = 0;
	async function worker() {
		while (next < items.length && errors.length === 0) {
			const index = next++;
			try {
				results[index] = await work(items[index], index);
			} catch (error) {
				errors.push(error as Error);
			}
		}
	}
	await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
	if (errors.length > 0) throw errors[0];
	return results;
}
