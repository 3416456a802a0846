import { mapPool } from '../../../../../nodes/FormResponses/actions/pool';

/** Works on so many items, each of which ends only when it is told to. */
async function startWork(count: number, concurrency: number) {
	const started: number[] = [];
	const endings: Array<{ resolve: (value: string) => void; reject: (error: Error) => void }> = [];
	const settle = async () => {
		for (let turn = 0; turn < 20; turn++) await Promise.resolve();
	};
	const items = Array.from({ length: count }, (_, item) => item);
	const results = mapPool(items, concurrency, async (item) => {
		started.push(item);
		return await new Promise<string>((resolve, reject) => (endings[item] = { resolve, reject }));
	});
	let isOver = false;
	results.catch(() => {}).finally(() => (isOver = true));
	await settle();
	return {
		started,
		results,
		isOver: () => isOver,
		async end(...ended: number[]) {
			for (const item of ended) {
				endings[item].resolve(`done ${item}`);
				await settle();
			}
		},
		async fail(item: number) {
			endings[item].reject(new Error(`failed ${item}`));
			await settle();
		},
	};
}

test('gives the results in the order of the items, whatever ends first', async () => {
	const { results, end } = await startWork(3, 3);
	await end(2, 0, 1);
	expect(await results).toEqual(['done 0', 'done 1', 'done 2']);
});

test('works on no more items at once than allowed', async () => {
	const { started, results, end } = await startWork(4, 2);
	expect(started).toEqual([0, 1]);
	await end(1);
	expect(started).toEqual([0, 1, 2]);
	await end(0, 2, 3);
	expect(await results).toHaveLength(4);
});

test('after an error starts nothing more, and throws the first once what is under way has ended', async () => {
	const { started, results, isOver, end, fail } = await startWork(5, 3);
	await fail(1);
	await fail(0);
	expect(isOver()).toBe(false);
	await end(2);
	await expect(results).rejects.toThrow('failed 1');
	expect(started).toEqual([0, 1, 2]);
});

test('a result may be undefined', async () => {
	const started: number[] = [];
	const results = await mapPool([0, 1, 2], 1, async (item) => void started.push(item));
	expect([started, results]).toEqual([[0, 1, 2], Array(3).fill(undefined)]);
});

test('no items, no work', async () => {
	expect(await mapPool([], 20, async () => 1)).toEqual([]);
});
