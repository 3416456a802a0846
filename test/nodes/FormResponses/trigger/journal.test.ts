import type { Clock } from '../../../clock';
import { startClock } from '../../../clock';
import { startRun } from '../../../../nodes/FormResponses/trigger/runs';
import { emptyStores, failStore } from '../../../n8n/deduplication';
import { inRun } from '../../../n8n/probe';

let clock: Clock;

beforeEach(() => {
	clock = startClock({ standing: true });
	emptyStores();
});

/** Moves the clock on until the work is done, in steps that are small beside its waits. */
async function whileTimePasses<Result>(work: Promise<Result>): Promise<Result> {
	let isOver = false;
	const end = () => (isOver = true);
	work.then(end, end);
	while (!isOver) await clock.pass(200);
	return await work;
}

interface Run {
	recovered?: string[];
	/** Whether n8n does not tell the end of this run: it lasts, or n8n is too old to tell. */
	end?: 'told' | 'not told' | 'old n8n';
}

/** A run of the trigger that has these responses. */
const run = async (keys: string[], { recovered = [], end = 'told' }: Run = {}) =>
	await whileTimePasses(
		inRun(
			async (context) => {
				if (end === 'not told') context.onExecutionFinish = () => {};
				if (end === 'old n8n') Object.assign(context, { onExecutionFinish: undefined });
				return [...(await startRun(context, keys, new Set(recovered)))];
			},
			{ mode: 'webhook' },
		),
	);

/** A run in the middle of which n8n is killed. */
async function cutOffRun(keys: string[], recovered: string[] = []) {
	const fresh = await run(keys, { recovered, end: 'not told' });
	clock.kill();
	return fresh;
}

test('a response runs once', async () => {
	expect(await run(['a', 'b'])).toEqual(['a', 'b']);
	expect(await run(['b', 'c'])).toEqual(['c']);
});

test('a recovered response that ran is not run again', async () => {
	await run(['a']);
	expect(await run(['a', 'b'], { recovered: ['a', 'b'] })).toEqual(['b']);
});

test('a response whose run n8n did not survive is run again when it is recovered', async () => {
	const all = ['a', 'b', 'c'];
	expect(await cutOffRun(['a', 'b'])).toEqual(['a', 'b']);
	expect((await run(all, { recovered: all })).sort()).toEqual(all);
	expect(await run(all, { recovered: all })).toEqual([]);
});

test('as often as that happens', async () => {
	await cutOffRun(['a']);
	for (let restart = 0; restart < 3; restart++) {
		expect(await cutOffRun(['a'], ['a'])).toEqual(['a']);
	}
	expect(await run(['a'], { recovered: ['a'] })).toEqual(['a']);
	expect(await run(['a'], { recovered: ['a'] })).toEqual([]);
});

test('but not when it is only delivered once more', async () => {
	await cutOffRun(['a']);
	expect(await run(['a'])).toEqual([]);
});

test('nor while a worker may still be at it', async () => {
	await run(['a'], { end: 'not told' });
	expect(await run(['a'], { recovered: ['a'] })).toEqual([]);
});

test('a run that lasts long counts as survived, as what it did may be much', async () => {
	await run(['a'], { end: 'not told' });
	await clock.pass(10_001);
	clock.kill();
	expect(await run(['a'], { recovered: ['a'] })).toEqual([]);
});

test('in an n8n that does not tell the end of a run, a response still runs once', async () => {
	expect(await run(['a'], { end: 'old n8n' })).toEqual(['a']);
	await clock.pass(1);
	expect(await run(['a'], { end: 'old n8n', recovered: ['a'] })).toEqual([]);
});

describe('a store that fails', () => {
	const locked = new Error('database is locked');

	test('lets all pass: better twice than never', async () => {
		await run(['a']);
		failStore(locked, locked);
		expect(await run(['a', 'b'])).toEqual(['a', 'b']);
	});

	/** A recovered response that had run to its end, where the store fails after its first answer. */
	const recoverWithFailures = async (...errors: Error[]) => {
		await run(['a']);
		return await whileTimePasses(
			inRun(
				async (context) => {
					const { checkProcessedAndRecord } = context.helpers;
					context.helpers.checkProcessedAndRecord = async (...parameters) => {
						const result = await checkProcessedAndRecord(...parameters);
						failStore(...errors.splice(0));
						return result;
					};
					return [...(await startRun(context, ['a'], new Set(['a'])))];
				},
				{ mode: 'webhook' },
			),
		);
	};

	test('for good: it passes, as nobody knows whether its run ended', async () => {
		expect(await recoverWithFailures(locked, locked, locked, locked)).toEqual(['a']);
	});

	test('for a while: it does not pass, as its run ended', async () => {
		expect(await recoverWithFailures(locked, locked)).toEqual([]);
	});
});
