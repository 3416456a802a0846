import { mapPool } from '../../../../nodes/FormResponses/actions/pool';

/** Work that ends only when it is told to. */
function openWork() {
	const started: number[] = [];
	const endings = new Map<
		number,
		{ resolve: (value: string) => void; reject: (e: Error) => void }
	>();
	const work = async (item: number) => {
		started.push(item);
		return await new Promise<string>((resolve, reject) => endings.set(item, { resolve, reject }));
	};
	const settle = async () => {
		for (let turn = 0; turn < 20; turn++) await Promise.resolve();
	};
	return {
		started,
		work,
		settle,
		end: async (item: number) => {
			endings.get(item)!.resolve(`done ${item}`);
			await settle();
		},
		fail: async (item: number) => {
			endings.get(item)!.reject(new Error(`failed ${item}`));
			await settle();
		},
	};
}

test('gives the results in the order of the items, whatever ends first', async () => {
	const { work, end, settle } = openWork();
	const results = mapPool([0, 1, 2], 3, work);
	await settle();
	for (const item of [2, 0, 1]) await end(item);
	expect(await results).toEqual(['done 0', 'done 1', 'done 2']);
});

test('works on no more items at once than allowed', async () => {
	const { started, work, end, settle } = openWork();
	const results = mapPool([0, 1, 2, 3], 2, work);
	await settle();
	expect(started).toEqual([0, 1]);
	await end(1);
	expect(started).toEqual([0, 1, 2]);
	for (const item of [0, 2, 3]) await end(item);
	expect(await results).toHaveLength(4);
});

test('after an error starts nothing more, and throws the first once what is under way has ended', async () => {
	const { started, work, end, fail, settle } = openWork();
	let isOver = false;
	const results = mapPool([0, 1, 2, 3, 4], 3, work).finally(() => (isOver = true));
	results.catch(() => {});
	await settle();
	await fail(1);
	await fail(0);
	expect(isOver).toBe(false);
	await end(2);
	await expect(results).rejects.toThrow('failed 1');
	expect(started).toEqual([0, 1, 2]);
});

test('a result may be undefined', async () => {
	const started: number[] = [];
	const results = await mapPool([0, 1, 2], 1, async (item) => {
		started.push(item);
		return undefined;
	});
	expect(started).toEqual([0, 1, 2]);
	expect(results).toEqual([undefined, undefined, undefined]);
});

test('no items, no work', async () => {
	expect(await mapPool([], 20, async () => 1)).toEqual([]);
});
