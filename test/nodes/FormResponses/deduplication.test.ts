import { record, tryToRecord } from '../../../nodes/FormResponses/deduplication';
import { FormResponses } from '../../../nodes/FormResponses/FormResponses.node';
import { eventually, startClock } from '../../clock';
import { emptyStores, failStore, recorded, storeCalls } from '../../in-process/deduplication';
import { keepLogs } from '../../in-process/logs';
import { inRun } from '../../in-process/probe';

beforeEach(emptyStores);

const recordKeys = async (keys: string[], maxEntries = 100, nodeId = 'node-1') =>
	await inRun(async (context) => [...(await record(context, keys, maxEntries))], { nodeId });

test('a key is new once', async () => {
	expect(await recordKeys(['a', 'b'])).toEqual(['a', 'b']);
	expect(await recordKeys(['b', 'c'])).toEqual(['c']);
	expect(await recordKeys(['a', 'b', 'c'])).toEqual([]);
});

test('a key is remembered for one node only', async () => {
	await recordKeys(['a']);
	expect(await recordKeys(['a'], 100, 'node-2')).toEqual(['a']);
});

test('two nodes that record at the same time have a store each', async () => {
	const both = [recordKeys(['a']), recordKeys(['a'], 100, 'node-2')];
	expect(await Promise.all(both)).toEqual([['a'], ['a']]);
});

test('no more keys are remembered than told, and the oldest are forgotten', async () => {
	for (const key of ['a', 'b', 'c']) await recordKeys([key], 2);
	expect(recorded()).toEqual(['b', 'c']);
	expect(await recordKeys(['c'], 2)).toEqual([]);
	expect(await recordKeys(['a'], 2)).toEqual(['a']);
});

test('of runs at the same time one gets a key, and no entry is lost', async () => {
	const results = await inRun(
		async (context) =>
			await Promise.all(
				Array.from({ length: 10 }, async (_, n) => [
					...(await record(context, ['shared', `own ${n}`], 100)),
				]),
			),
	);
	expect(results.flat().filter((key) => key === 'shared')).toHaveLength(1);
	expect(new Set(results.flat()).size).toBe(11);
	expect(recorded()).toHaveLength(11);
	expect(await recordKeys(Array.from({ length: 10 }, (_, n) => `own ${n}`))).toEqual([]);
});

test('what comes while the store is busy is asked together', async () => {
	await inRun(
		async (context) =>
			await Promise.all(['a', 'b', 'c', 'd'].map(async (key) => await record(context, [key], 100))),
	);
	expect(storeCalls()).toBe(2);
});

test('what has patience goes along with the next call', async () => {
	const clock = startClock({ standing: true });
	await inRun(async (context) => {
		const patient = record(context, ['a'], 100, 50);
		const hurried = record(context, ['b'], 100);
		expect([[...(await patient)], [...(await hurried)]]).toEqual([['a'], ['b']]);
	});
	expect([storeCalls(), clock.elapsed()]).toEqual([1, 0]);
});

test('patience ends, also where no call comes', async () => {
	const clock = startClock({ standing: true });
	await inRun(async (context) => {
		void record(context, ['a'], 100, 50);
		await clock.pass(49);
		expect(recorded()).toEqual([]);
		await clock.pass(1);
		await eventually(() => expect(recorded()).toEqual(['a']));
	});
});

describe('a store that fails', () => {
	const locked = new Error('database is locked');
	const collided = new Error('UNIQUE constraint failed: processed_data.workflowId');

	test.each([
		'UNIQUE constraint failed: processed_data.workflowId',
		'duplicate key value violates unique constraint "PK_1"',
	])('because two made its first entry is asked again: %s', async (message) => {
		failStore(new Error(message));
		expect(await recordKeys(['a'])).toEqual(['a']);
		expect([recorded(), storeCalls()]).toEqual([['a'], 2]);
	});

	test('in another way is not asked again: a second answer would tell that the keys are old', async () => {
		failStore(locked);
		await expect(recordKeys(['a'])).rejects.toThrow('database is locked');
		expect(storeCalls()).toBe(1);
	});

	test('twice tells its error', async () => {
		failStore(collided, locked);
		await expect(recordKeys(['a'])).rejects.toThrow('database is locked');
	});

	test('does not fail the runs that come later', async () => {
		failStore(locked);
		await expect(recordKeys(['a'])).rejects.toThrow();
		expect(await recordKeys(['a'])).toEqual(['a']);
	});

	test('gives no answer where all may pass, and the log says why', async () => {
		const logs = keepLogs(new FormResponses());
		failStore(locked);
		const answer = await inRun(async (context) => await tryToRecord(context, ['a'], 100));
		expect(answer).toBeUndefined();
		expect(logs.filter(({ level }) => level === 'warn')).toEqual([
			{
				level: 'warn',
				message: expect.stringMatching(/may run twice: database is locked/) as string,
			},
		]);
	});
});

test('nothing to record asks nobody', async () => {
	expect(await recordKeys([])).toEqual([]);
	expect(storeCalls()).toBe(0);
});
