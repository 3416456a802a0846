/**
 * Works on all items, `concurrency` at once, and gives the results in the order of the items.
 * After an error no further item is started; the error is thrown once those under way have ended.
 */
export async function mapPool<In, Out>(
	items: In[],
	concurrency: number,
	work: (item: In, index: number) => Promise<Out>,
): Promise<Out[]> {
	const results = new Array<Out>(items.length);
	let next = 0;
	async function worker() {
		while (next < items.length) {
			const index = next++;
			try {
				results[index] = await work(items[index], index);
			} finally {
				if (!(index in results)) next = items.length;
			}
		}
	}
	const workers = Array.from({ length: Math.min(concurrency, items.length) }, worker);
	const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
	if (failed) throw (failed as PromiseRejectedResult).reason;
	return results;
}
