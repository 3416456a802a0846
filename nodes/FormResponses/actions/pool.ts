/**
 * Works on all items, `concurrency` at once, and gives the results in the order of the items.
 * After an error no further item is started; the first error is thrown once those under way have ended.
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
