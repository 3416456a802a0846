import { forget, keyOf, record, tryToRecord } from '../../../nodes/FormResponses/processed';
import { FormResponses } from '../../../nodes/FormResponses/FormResponses.node';
import { emptyStores, failStore, recorded } from '../../n8n/deduplication';
import { keepLogs } from '../../n8n/logs';
import { inRun } from '../../n8n/probe';
import { aResponse, RESPONSE_ID } from '../../samples';

beforeEach(emptyStores);

const recordKeys = async (keys: string[], maxEntries = 100, nodeId = 'node-1') =>
	await inRun(async (context) => [...(await record(context, keys, maxEntries))], { nodeId });

test('a response and its completion make the key', () => {
	const completedAt = '2026-01-01T00:00:00.000Z';
	expect(keyOf(aResponse({ completedAt }))).toBe(`${RESPONSE_ID} ${completedAt}`);
});

test('a key is new once', async () => {
	expect(await recordKeys(['a', 'b'])).toEqual(['a', 'b']);
	expect(await recordKeys(['b', 'c'])).toEqual(['c']);
	expect(await recordKeys(['a', 'b', 'c'])).toEqual([]);
});

test('a key is remembered for one node only', async () => {
	await recordKeys(['a']);
	expect(await recordKeys(['a'], 100, 'node-2')).toEqual(['a']);
});

test('no more keys are remembered than told, and the oldest are forgotten', async () => {
	for (const key of ['a', 'b', 'c']) await recordKeys([key], 2);
	expect(recorded()).toEqual(['b', 'c']);
	expect(await recordKeys(['c'], 2)).toEqual([]);
	expect(await recordKeys(['a'], 2)).toEqual(['a']);
});

test('a key that is forgotten is new again', async () => {
	await recordKeys(['a', 'b']);
	await inRun(async (context) => await forget(context, ['a']));
	expect(await recordKeys(['a', 'b'])).toEqual(['a']);
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

test('forgetting loses no entry of a run at the same time', async () => {
	await recordKeys(['a']);
	await inRun(
		async (context) => await Promise.all([forget(context, ['a']), record(context, ['b'], 100)]),
	);
	expect(recorded()).toEqual(['b']);
});

describe('a store that fails', () => {
	const locked = new Error('database is locked');

	test('once is asked once more', async () => {
		failStore(locked);
		expect(await recordKeys(['a'])).toEqual(['a']);
		expect(recorded()).toEqual(['a']);
	});

	test('twice tells its error', async () => {
		failStore(locked, locked);
		await expect(recordKeys(['a'])).rejects.toThrow('database is locked');
	});

	test('does not fail the runs that come later', async () => {
		failStore(locked, locked);
		await expect(recordKeys(['a'])).rejects.toThrow();
		expect(await recordKeys(['a'])).toEqual(['a']);
	});

	test('gives no answer where all may pass, and the log says why', async () => {
		const logs = keepLogs(new FormResponses());
		failStore(locked, locked);
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
	failStore(new Error('asked'), new Error('asked'));
	expect(await recordKeys([])).toEqual([]);
	await inRun(async (context) => await forget(context, []));
});
