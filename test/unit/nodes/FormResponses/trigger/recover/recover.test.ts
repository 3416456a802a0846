import type { IDataObject } from 'n8n-workflow';
import type { ResponseEnvelope } from '../../../../../../nodes/FormResponses/transport/types';
import { ACCESS_TOKEN, SECRETS } from '../../../../kit/credentials';
import { activate, deactivate } from '../../../../kit/hookMethods';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import { startTrigger, type StartedTrigger } from '../../../../kit/trigger';
import { anError, responsesOf } from '../../../../kit/samples';
import { reply } from '../../../../kit/formService';
import { aScene, MINUTE, SINCE, type Scene } from './scene.fixture';
import { inAnotherProcess, recovered, trigger } from '../trigger.fixture';

const HOUR = 60 * MINUTE;

let scene: Scene;

beforeEach(() => {
	scene = aScene();
});

afterEach(async () => {
	await scene.stop();
});

const oldestFirst = (count: number) => responsesOf(count, SINCE).reverse();

describe('a trigger that n8n left running when `create` failed', () => {
	async function leaveBehind(count: number) {
		const left = [];
		for (let n = 0; n < count; n++) {
			left.push(await startTrigger(scene.stored));
			scene.refusals = 1;
			await expect(activate(scene.stored)).rejects.toThrow();
		}
		scene.refusals = 0;
		return left;
	}

	const hour = async (others: StartedTrigger[]) => {
		for (let n = 0; n < 60; n++) {
			others.forEach((one) => one.tick());
			await scene.minutes(1);
		}
	};

	test('does nothing while the one of a later publication works', async () => {
		keepLogs(trigger);
		const left = await leaveBehind(4);
		await scene.start();
		const crons = [...left, scene.trigger].flatMap((one) => one.crons);
		expect(new Set(crons).size).toBe(5);
		for (const cron of crons) expect(cron).toMatch(/^[0-5]?\d \* \* \* \* \*$/);
		await hour(left);
		// One each minute at first, and then one each 15 minutes.
		expect(scene.looks.length).toBeLessThan(10);
		scene.failure = reply(401);
		await hour(left);
		expect(left.flatMap(({ failures }) => failures)).toEqual([]);
		expect(scene.trigger.failures).toHaveLength(1);
	});

	test('works again once the later one is closed, as n8n had published too late', async () => {
		const first = await startTrigger(scene.stored);
		await scene.start();
		await scene.trigger.close();
		await hour([first]);
		expect(scene.looks.length).toBeGreaterThan(2);
	});
});

test('after n8n lost what was stored, what came while it was down runs, told apart from what came before the first publication', async () => {
	await scene.start();
	await scene.minutes(5);
	await scene.trigger.close();
	scene.clock.kill();
	scene.responses = responsesOf(3, new Date(scene.clock.now() + MINUTE).toISOString());
	await scene.clock.pass(HOUR);
	scene.stored.staticData = { global: { count: 1 } };
	scene.madeAt = new Date(scene.clock.now()).toISOString();
	await scene.start();
	await scene.clock.pass(MINUTE);
	const items = recovered([...scene.responses].reverse(), { isGuess: true });
	expect(scene.trigger.runs).toMatchObject(items.map((item) => [item]));
	scene.responses = responsesOf(1, scene.madeAt);
	await scene.minutes(2);
	expect(scene.trigger.runs[3]).toMatchObject(recovered(scene.responses, { isGuess: false }));
});

describe('after a start', () => {
	const [newest, second, oldest] = responsesOf(3, SINCE);
	const answers = [{ fieldId: 'f', label: null }] as never;
	const odd = { ...second, data: { ...second.data, answers } };

	test.each<[string, ResponseEnvelope[], IDataObject[]]>([
		['an odd one as it came', [newest, odd, oldest], recovered([oldest, odd, newest])],
		['none that was completed before', responsesOf(5), []],
		['a page', responsesOf(25, SINCE), recovered(oldestFirst(25), { isOldestShown: true })],
	])('of one look after about 3 seconds runs, each by itself, %s', async (_, responses, items) => {
		scene.responses = responses;
		await scene.start();
		await scene.clock.pass(MINUTE);
		expect(scene.looks).toEqual([3]);
		expect(scene.trigger.runs).toMatchObject(items.map((item) => [item]));
		expect(scene.trigger.emitted).toHaveLength(items.length + (items.length > 1 ? 1 : 0));
		const [look] = scene.service.sent.filter(({ method }) => method === 'GET');
		expect(look.query).toEqual({ limit: '25' });
	});

	test('a hook that takes long to make is waited for, so that nothing falls in between', async () => {
		scene.trigger = await startTrigger(scene.stored);
		await scene.clock.pass(40_000);
		expect(scene.looks).toEqual([]);
		await activate(scene.stored);
		scene.responses = responsesOf(1, SINCE);
		await scene.clock.pass(2_000);
		expect([scene.looks.length, scene.trigger.runs.length]).toEqual([1, 1]);
	});

	test('a hook that takes for ever is not waited for longer than n8n does', async () => {
		await scene.start();
		await scene.stop();
		scene.stored = inAnotherProcess(scene.stored);
		scene.trigger = await startTrigger(scene.stored);
		await scene.clock.pass(2 * MINUTE);
		expect(scene.looks).toEqual([90]);
	});

	test('a publication that n8n ends later than that is still followed by looks', async () => {
		scene.trigger = await startTrigger(scene.stored);
		await scene.clock.pass(2 * MINUTE);
		expect(scene.looks).toEqual([]);
		await activate(scene.stored);
		scene.responses = responsesOf(1, SINCE);
		await scene.minutes(2);
		expect(scene.trigger.runs).toHaveLength(1);
	});

	test('a service that is away is asked again, up to a minute apart, which is told once', async () => {
		const logs = keepLogs(trigger);
		scene.failure = reply(403, anError('insufficient_scope', `No ${ACCESS_TOKEN}`));
		await scene.start();
		await scene.clock.pass(MINUTE);
		expect(scene.looks.slice(0, 4)).toEqual([3, 8, 18, 38]);
		await scene.minutes(9);
		// A look that succeeds comes no later than a minute after the one before, at first.
		expect(scene.looks).toHaveLength(13);
		await scene.minutes(50);
		const lasts = /^"Forms" could not read the latest responses for 1\d minutes: .*lacks the scope/;
		expect(scene.trigger.failures.map(({ message }) => lasts.test(message))).toEqual([true]);
		scene.failure = undefined;
		scene.responses = responsesOf(1, SINCE);
		await scene.minutes(30);
		expect(scene.trigger.runs).toHaveLength(1);
		expect(logs.map(({ message }) => message).join()).toContain(
			'could read the latest responses again',
		);
		// What a first look finds says nothing of the hook.
		expect(scene.service.calls().filter((call) => call === 'POST /hooks')).toHaveLength(1);
		const warning = /could not read the latest responses and tries again/;
		expect(warningsIn(logs)).toEqual([expect.stringMatching(warning)]);
		for (const secret of SECRETS) expect(JSON.stringify(logs)).not.toContain(secret);
	});
});

describe.each<[string, () => Promise<unknown>]>([
	['was closed', async () => await scene.trigger.close()],
	['was unpublished', async () => await deactivate(scene.stored)],
	['was replaced by a later publication', async () => await startTrigger(scene.stored)],
])('once the trigger %s', (_, end) => {
	test('it looks for nothing', async () => {
		scene.responses = responsesOf(1, SINCE);
		await scene.start();
		await end();
		scene.looks = [];
		await scene.minutes(30);
		expect(scene.looks.length).toBeLessThan(2);
		expect(scene.trigger.runs).toEqual([]);
	});

	test('after a look that failed, nothing waits for a next one', async () => {
		keepLogs(trigger);
		scene.failure = reply(403, anError('insufficient_scope', 'No'));
		await scene.start();
		await scene.clock.pass(4_000);
		expect(scene.looks).toHaveLength(1);
		scene.failure = undefined;
		await end();
		await scene.clock.pass(MINUTE);
		const waits = scene.clock.waits.length;
		await scene.clock.pass(3 * HOUR);
		expect(scene.clock.waits).toHaveLength(waits);
	});
});

test('nothing is looked for by a test', async () => {
	await scene.start({ mode: 'manual' });
	await scene.clock.pass(HOUR);
	expect([scene.looks, scene.trigger.crons]).toEqual([[], []]);
});
