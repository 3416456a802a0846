import { sleep } from 'n8n-workflow';
import { mapPool } from '../../../../../nodes/FormResponses/actions/pool';
import { startClock, type Clock } from '../../../kit/clock';

let clock: Clock;
let startedAt: number[];

beforeEach(() => {
	clock = startClock();
	startedAt = [];
});

/** Takes this many milliseconds; fails if they are negative. */
async function work(ms: number) {
	startedAt.push(clock.elapsed());
	await sleep(Math.abs(ms));
	if (ms < 0) throw new Error(`failed after ${-ms} ms`);
	return `done after ${ms} ms`;
}

test('gives the results in the order of the items, whatever ends first', async () => {
	const results = ['done after 30 ms', 'done after 10 ms', 'done after 20 ms'];
	expect(await mapPool([30, 10, 20], 3, work)).toEqual(results);
});

test('works on no more items at once than allowed', async () => {
	expect(await mapPool([30, 10, 10, 20], 2, work)).toHaveLength(4);
	expect(startedAt).toEqual([0, 0, 10, 20]);
});

test('after an error starts nothing more, and throws the first once what is under way has ended', async () => {
	await expect(mapPool([-20, -10, 30, 1, 1], 3, work)).rejects.toThrow('failed after 10 ms');
	expect([startedAt, clock.elapsed()]).toEqual([[0, 0, 0], 30]);
});

test('a result may be undefined', async () => {
	const started: number[] = [];
	const results = await mapPool([0, 1, 2], 1, async (item) => void started.push(item));
	expect([started, results]).toEqual([[0, 1, 2], Array(3).fill(undefined)]);
});

test('no items, no work', async () => {
	expect(await mapPool([], 20, work)).toEqual([]);
});
