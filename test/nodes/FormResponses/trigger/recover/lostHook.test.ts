import { execute } from '../../../../in-process/execute';
import { activate, deactivate } from '../../../../in-process/hook';
import { keepLogs } from '../../../../in-process/logs';
import { aRun } from '../../../../in-process/trigger';
import { deliver, queryOf } from '../../../../in-process/webhook';
import type { Stored } from '../../../../in-process/workflow';
import { responsesOf } from '../../../../samples';
import { refused } from '../../../../service';
import type { Scene } from './scene.fixture';
import { aScene, MINUTE, SINCE } from './scene.fixture';
import { idsIn, pushed, targetsOf, trigger, whileTimePasses } from '../trigger.fixture';

let scene: Scene;

let logs: ReturnType<typeof keepLogs>;

beforeEach(() => {
	scene = aScene();
	logs = keepLogs(trigger);
});

afterEach(async () => {
	await scene.stop();
});

const [first, second] = [...responsesOf(2, SINCE)].reverse();
const hookCalls = () => scene.service.calls().filter((call) => !call.startsWith('GET'));
/** The numbers of the hooks that were removed. */
const removals = () =>
	hookCalls().flatMap((call) => (call.startsWith('DELETE') ? [Number(call.slice(-12))] : []));

/** Starts n8n, and lets the first look pass. */
async function begin(options?: Parameters<Scene['start']>[0]) {
	await scene.start(options);
	await scene.minutes(1);
}

const delivered = async (body: typeof first, hook = 1) =>
	await deliver(scene.stored, { body, query: queryOf(targetsOf(scene.service)[hook - 1]) });

async function runs(one: typeof first) {
	const run = execute({ ...scene.stored, mode: 'webhook', items: pushed(one) });
	await whileTimePasses(scene.clock, run);
}

test('a response that a live hook should have delivered runs, and the hook is replaced at once', async () => {
	await begin();
	scene.responses = [first];
	await scene.minutes(2);
	expect(idsIn(scene.trigger.runs)).toEqual([[first.data.responseId]]);
	expect(hookCalls()).toEqual(['POST /hooks', 'POST /hooks', expect.stringMatching(/^DELETE/)]);
	expect(logs.slice(-2)).toMatchObject([
		{ level: 'warn', message: expect.stringMatching(/its hook did not deliver/) as string },
		{
			level: 'info',
			message: expect.stringMatching(/"Forms" subscribed again with hook \S/) as string,
		},
	]);
	await scene.minutes(20);
	expect(hookCalls()).toHaveLength(3);
	await deactivate(scene.stored);
	expect(removals()).toEqual([1, 2]);
});

test('a response whose delivery is on its way is waited for', async () => {
	await begin();
	scene.responses = [first];
	scene.trigger.tick();
	await scene.clock.pass(10_000);
	await delivered(first);
	await runs(first);
	await scene.minutes(20);
	expect(scene.trigger.runs).toEqual([]);
	expect(hookCalls()).toEqual(['POST /hooks']);
});

test('a hook that delivers later than a look waits is not lost', async () => {
	await begin();
	scene.responses = [second, first];
	scene.trigger.tick();
	await scene.clock.pass(5_000);
	await delivered(first);
	await scene.minutes(20);
	expect(idsIn(scene.trigger.runs).flat()).toContain(second.data.responseId);
	expect(hookCalls()).toEqual(['POST /hooks']);
});

test('a hook that delivered what the service did not show yet is not lost', async () => {
	Object.assign(scene.stored.parameters, { options: { verifyDeliveries: true } });
	await begin();
	await delivered(first);
	await scene.clock.pass(30_000);
	scene.responses = [first];
	await scene.minutes(20);
	expect(idsIn(scene.trigger.runs)).toEqual([[first.data.responseId]]);
	expect(hookCalls()).toEqual(['POST /hooks']);
});

test('a hook whose responses another process received is not lost: the run put none out', async () => {
	await begin({ onEmit: () => aRun(0) });
	scene.responses = [first];
	await scene.minutes(20);
	expect(scene.trigger.runs).toHaveLength(1);
	expect(hookCalls()).toEqual(['POST /hooks']);
});

test('a hook that was lost long ago and again now, on a form that fills its page between two looks, worked in between', async () => {
	let late = 25;
	await begin({ onEmit: () => aRun(late) });
	const newest = [...responsesOf(25 * 41, SINCE)].reverse();
	const next = () => (scene.responses = newest.splice(-25).reverse());
	next();
	await scene.minutes(1);
	late = 0;
	for (let n = 1; n < 40; n++) {
		next();
		await scene.minutes(1);
	}
	late = 25;
	next();
	await scene.minutes(5);
	expect(scene.trigger.failures).toEqual([]);
});

describe('a hook that is made and never delivers', () => {
	const newest = responsesOf(12, SINCE);

	test.each([
		['every 20 minutes', 20],
		['once an hour', 60],
	])('is told once, on a form that gets a response %s', async (_, minutes) => {
		await begin();
		for (let n = 1; n <= newest.length; n++) {
			scene.responses = newest.slice(-n);
			await scene.minutes(minutes);
		}
		expect(scene.trigger.runs).toHaveLength(newest.length);
		expect(scene.trigger.failures.map(({ message }) => message)).toEqual([
			expect.stringMatching(/could not get its responses delivered for \d+ minutes/),
		]);
	});

	test('is not told where the next one delivered meanwhile', async () => {
		await begin();
		for (let n = 1; n <= newest.length; n++) {
			scene.responses = newest.slice(-n);
			if (n % 2 === 0) {
				await delivered(scene.responses[0], targetsOf(scene.service).length);
				await runs(scene.responses[0]);
			}
			await scene.minutes(20);
		}
		expect(scene.trigger.runs).toHaveLength(newest.length / 2);
		expect(scene.trigger.failures).toEqual([]);
	});
});

describe('a renewal that failed at the start', () => {
	/** n8n is started again, while the service refuses hooks this often. */
	async function restartWithout(count: number, changes: Partial<Stored> = {}) {
		await begin();
		await scene.stop();
		scene.refusals = count;
		Object.assign(scene.stored, changes);
		await scene.start();
	}

	test('is tried again until it succeeds: one hook, and no failure of the workflow', async () => {
		await restartWithout(5);
		await scene.minutes(2);
		expect(scene.refusals).toBeGreaterThan(0);
		await scene.minutes(25);
		expect(targetsOf(scene.service)).toHaveLength(7);
		expect(hookCalls().slice(-2)).toEqual(['POST /hooks', expect.stringMatching(/^DELETE/)]);
		expect(scene.trigger.failures).toEqual([]);
		await scene.minutes(20);
		expect(targetsOf(scene.service)).toHaveLength(7);
	});

	test('is tried less and less often, not twice at the same time, and no longer once the trigger is closed', async () => {
		await restartWithout(Infinity);
		await scene.minutes(30);
		expect(targetsOf(scene.service)).toHaveLength(13);
		for (let n = 0; n < 15; n++) scene.trigger.tick();
		await scene.clock.pass(MINUTE);
		expect(targetsOf(scene.service)).toHaveLength(14);
		await scene.trigger.close();
		await scene.minutes(20);
		expect(targetsOf(scene.service)).toHaveLength(14);
	});

	test('succeeds when the service is back, and brings a look at once', async () => {
		scene.failure = refused(503);
		await restartWithout(2);
		await scene.clock.pass(50_000);
		scene.failure = undefined;
		scene.responses = [first];
		scene.looks = [];
		const backAt = Math.round(scene.clock.elapsed() / 1_000);
		scene.trigger.tick();
		await scene.clock.pass(20_000);
		expect(scene.looks[0]).toBe(backAt);
		expect(idsIn(scene.trigger.runs)).toEqual([[first.data.responseId]]);
	});

	test.each<[string, Partial<Stored>]>([
		['nothing is stored', { staticData: {} }],
		['it delivers to another address', { webhookBaseUrl: 'https://moved.example.com/webhook' }],
	])('is told where no earlier hook delivers: %s', async (_, changes) => {
		await restartWithout(Infinity, changes);
		await scene.minutes(30);
		expect(scene.trigger.failures.map(({ message }) => message)).toEqual([
			expect.stringMatching(/could not get its responses delivered for \d+ minutes/),
		]);
	});

	test('is not tried again after a publication that failed', async () => {
		await restartWithout(1);
		Object.assign(scene.stored.parameters, { options: { onlyIf: { conditions: [{}] } } });
		await expect(activate(scene.stored)).rejects.toThrow(/Only If/);
		const before = hookCalls();
		await scene.minutes(20);
		expect(hookCalls()).toEqual(before);
	});

	test('keeps the earlier hook meanwhile, until the workflow is unpublished', async () => {
		await restartWithout(Infinity);
		await scene.minutes(30);
		expect(scene.trigger.failures).toEqual([]);
		expect(removals()).toEqual([]);
		expect(await delivered(first)).toMatchObject({ status: 200, run: [{}] });
		await deactivate(scene.stored);
		const before = targetsOf(scene.service).length;
		await scene.minutes(20);
		expect(targetsOf(scene.service)).toHaveLength(before);
	});
});

test('a lost hook that cannot be replaced is told once, as a failed execution, and responses still run', async () => {
	let isLate = true;
	await begin({ onEmit: ({ items }) => aRun(isLate ? items.length : 0) });
	scene.responses = [first];
	scene.refusals = Infinity;
	await scene.minutes(4);
	// What another hook delivered makes none in its place.
	isLate = false;
	scene.responses = [second, first];
	await scene.minutes(10);
	expect(scene.trigger.failures).toEqual([]);
	await scene.minutes(5);
	expect(scene.trigger.failures.map(({ message }) => message)).toEqual([
		expect.stringMatching(/could not get its responses delivered for \d+ minutes: .*503/),
	]);
	await scene.minutes(20);
	expect(scene.trigger.failures).toHaveLength(1);
	expect(idsIn(scene.trigger.runs).flat()).toEqual(
		[first, second].map(({ data }) => data.responseId),
	);
});

describe('a lost hook that cannot be replaced', () => {
	/** The service makes no hook, and tells of another response each minute. */
	async function loseHook(tells: (minute: number) => void) {
		await begin();
		scene.refusals = Infinity;
		const newest = [...responsesOf(25, SINCE)].reverse();
		for (let minute = 1; minute <= 25; minute++) {
			scene.responses = newest.slice(-minute);
			tells(minute);
			await scene.minutes(1);
		}
		return scene.trigger.failures.map(({ message }) => message);
	}

	test('is told with what keeps it from that, however much it misses meanwhile', async () => {
		const told = await loseHook(() => {});
		expect(told).toEqual([expect.stringMatching(/delivered for \d+ minutes: .*503/)]);
		expect(scene.trigger.runs.length).toBeGreaterThan(5);
	});

	test('is not told beside looks that fail', async () => {
		const told = await loseHook((minute) => {
			if (minute === 4) scene.failure = refused(503);
		});
		expect(told).toEqual([expect.stringMatching(/could not read the latest responses/)]);
	});
});
