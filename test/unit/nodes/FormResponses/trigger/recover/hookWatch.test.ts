import { emptyStores } from '../../../../kit/processedStore';
import { execute } from '../../../../kit/execute';
import { activate, deactivate } from '../../../../kit/hookMethods';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import { aRun } from '../../../../kit/trigger';
import { deliver, queryOf } from '../../../../kit/delivery';
import type { Stored } from '../../../../kit/workflow';
import { anError, aResponse, idOf, responsesOf } from '../../../../kit/samples';
import { reply } from '../../../../kit/formService';
import { aScene, MINUTE, SINCE, type Scene } from './scene.fixture';
import { idsIn, pushed, targetsOf, trigger, whileTimePasses } from '../trigger.fixture';

let scene: Scene;
let logs: ReturnType<typeof keepLogs>;

beforeEach(() => {
	emptyStores();
	scene = aScene();
	logs = keepLogs(trigger);
});

afterEach(async () => {
	await scene.stop();
});

const [first] = responsesOf(1, SINCE);

/** What happened to hooks, by their numbers: `+1` made, `-1` removed. */
function hooks() {
	let made = 0;
	const changes = scene.service.calls().filter((call) => !call.startsWith('GET'));
	return changes.map((call) => (/^POST/.test(call) ? `+${++made}` : `-${Number(call.slice(-12))}`));
}

/** There is one failed execution, which says so. */
function expectFailure(message: RegExp) {
	const failures = scene.trigger.failures.map((one) => one.message);
	expect(failures).toEqual([expect.stringMatching(message)]);
}

/** Starts n8n, and lets the first look pass. */
async function begin() {
	await scene.start();
	await scene.minutes(1);
}

/** A hook delivers, and what it brings runs. */
async function bring(body: typeof first, hook = 1) {
	const query = queryOf(targetsOf(scene.service)[hook - 1]);
	const answer = await whileTimePasses(scene.clock, deliver(scene.stored, { body, query }));
	if (answer.run) {
		const run = execute({ ...scene.stored, mode: 'webhook', items: pushed(body) });
		await whileTimePasses(scene.clock, run);
	}
	return answer;
}

let brought = 0;

/** Each minute a response is completed, which these hooks deliver. */
async function bringNew(count: number, ...ofHooks: number[]) {
	const answers: number[] = [];
	for (let n = 0; n < count; n++) {
		await scene.minutes(1);
		const completedAt = new Date(scene.clock.now()).toISOString();
		const response = aResponse({ responseId: idOf(++brought, 7), completedAt });
		scene.responses = [response, ...scene.responses].slice(0, 25);
		for (const hook of ofHooks) answers.push((await bring(response, hook)).status);
	}
	return answers;
}

test.each<[string, number, number]>([
	['before its look stops to wait for it', 5, 0],
	['a minute and a half after its look', 90, 10],
])('a hook that brings each response %s is never in doubt', async (_, seconds, runs) => {
	await begin();
	scene.isBusy = true;
	for (let n = 0; n < 10; n++) {
		const looks = scene.looks.length;
		for (; scene.looks.length === looks; await scene.clock.pass(seconds * 1_000)) {
			scene.trigger.tick();
			await scene.clock.pass(0);
		}
		await bring(scene.responses[0]);
		await scene.minutes(1);
	}
	expect(scene.trigger.runs).toHaveLength(runs);
	expect(hooks()).toEqual(['+1']);
	expect(logs.filter(({ level }) => level !== 'debug')).toEqual([]);
});

describe('a hook that brings nothing while responses come', () => {
	beforeEach(async () => {
		await begin();
		scene.isBusy = true;
	});

	test('stays: what is missed runs by looks, and after 15 minutes one spare is made beside it', async () => {
		await scene.minutes(16);
		expect(scene.trigger.runs).toHaveLength(scene.looks.length - 1);
		expect(hooks()).toEqual(['+1']);
		await scene.minutes(2);
		expect(hooks()).toEqual(['+1', '+2']);
		const warning = /could not get its responses delivered.*did not deliver/;
		expect(warningsIn(logs)).toEqual([expect.stringMatching(warning)]);
		for (let n = 0; n < 60; n++) {
			await scene.minutes(1);
			await bring(scene.responses[0], 2);
		}
		expect(hooks()).toEqual(['+1', '+2']);
		expect(scene.trigger.failures).toEqual([]);
	});

	test('and a spare that delivered, until it was lost as well: there is another in its place', async () => {
		await scene.minutes(18);
		await bringNew(20, 2);
		await scene.minutes(25);
		expect(hooks()).toEqual(['+1', '+2', '-2', '+3']);
		await bringNew(20, 3);
		expect([hooks().length, scene.trigger.failures]).toEqual([4, []]);
	});

	test('is doubted also while somebody with another key repeats what ran', async () => {
		const query = { key: `${Date.parse(SINCE)}.${'x'.repeat(43)}` };
		for (let n = 0; n < 18; n++) {
			await scene.minutes(1);
			const body = scene.responses[1] ?? first;
			await whileTimePasses(scene.clock, deliver(scene.stored, { body, query }));
		}
		expect(hooks()).toEqual(['+1', '+2']);
	});

	test('and works again: the spare ends, and in the next doubt there is another', async () => {
		await scene.minutes(18);
		const answers = await bringNew(20, 1, 2);
		expect([hooks(), answers.indexOf(410) % 2]).toEqual([['+1', '+2'], 1]);
		await scene.minutes(30);
		expect(hooks()).toEqual(['+1', '+2', '+3']);
	});

	test('stays where the allowance is full, which is told after a while', async () => {
		scene.refusals = Infinity;
		scene.refusal = reply(400, anError('invalid_request', 'Too many subscriptions'));
		await scene.minutes(28);
		expect(scene.trigger.failures).toEqual([]);
		await scene.minutes(60);
		expectFailure(/delivered for \d+ minutes: .*Too many sub/);
		expect(new Set(hooks().map((one) => one[0]))).toEqual(new Set(['+']));
	});

	/** Gives how often the service is asked about what a hook brings then: never about what the live one brings. */
	async function publishAgain(hook: number) {
		await deactivate(scene.stored);
		await activate(scene.stored);
		await scene.minutes(1);
		const asked = scene.service.sent.length;
		expect(await bringNew(1, hook)).toEqual([200]);
		return scene.service.sent.length - asked;
	}

	test('changes places with its spare when the workflow is published again, and again', async () => {
		await scene.minutes(18);
		expect([await publishAgain(2), await publishAgain(2)]).toEqual([0, 0]);
		expect(hooks()).toEqual(['+1', '+2']);
		await deactivate(scene.stored);
		await scene.minutes(1);
		expect(hooks()).toEqual(['+1', '+2', '-2', '-1']);
	});

	test('stays in its place then, where nobody knows the ID of the spare', async () => {
		Object.assign(scene, { refusals: 1, refusal: reply(201, '<html>') });
		await scene.minutes(18);
		expect(await publishAgain(1)).toBe(0);
		expect(hooks()).toEqual(['+1', '+2']);
	});

	test('is removed with its spare 10 seconds after the workflow is unpublished', async () => {
		await scene.minutes(20);
		await deactivate(scene.stored);
		await scene.clock.pass(9_000);
		expect(hooks()).toEqual(['+1', '+2']);
		await scene.clock.pass(2_000);
		await scene.minutes(60);
		expect(hooks()).toEqual(['+1', '+2', '-1', '-2']);
	});
});

test('what a hook did not bring runs no later because it brought others', async () => {
	await begin();
	scene.responses = responsesOf(10, new Date(scene.clock.now()).toISOString());
	for (const one of scene.responses.slice(1)) await bring(one);
	scene.trigger.tick();
	await scene.clock.pass(17_000);
	expect(idsIn(scene.trigger.runs)).toEqual([[scene.responses[0].data.responseId]]);
});

test('a hook that brings all to another process is no longer doubted', async () => {
	let verdict = 'p';
	await scene.start({ onEmit: () => aRun(verdict) });
	await scene.minutes(1);
	scene.isBusy = true;
	await scene.minutes(1);
	expect(scene.trigger.runs).toHaveLength(1);
	// The run finds that the other process has run it.
	verdict = 'd';
	await scene.minutes(40);
	expect(hooks()).toEqual(['+1']);
});

test('a hook that brings what Only If leaves out is no longer doubted', async () => {
	const conditions = [{ label: 'Name', value: 'Robin' }];
	Object.assign(scene.stored.parameters, { options: { onlyIf: { conditions } } });
	await begin();
	scene.responses = [first];
	scene.trigger.tick();
	await scene.clock.pass(20_000);
	expect(scene.trigger.runs).toHaveLength(1);
	await bring(aResponse({ responseId: idOf(1, 7), completedAt: SINCE, answers: [] }));
	await scene.minutes(30);
	expect(hooks()).toEqual(['+1']);
});

describe('a start of n8n', () => {
	/** n8n is ended and started again, while the service refuses hooks this often. */
	async function restart(changes: Partial<Stored> = {}, refusals = 0) {
		await begin();
		await scene.stop();
		Object.assign(scene, { refusals, looks: [] });
		Object.assign(scene.stored, changes);
		await scene.start();
	}

	const nothing = { staticData: {} };
	const moved = { webhookBaseUrl: 'https://moved.example.com/webhook' };

	test.each<[string, Partial<Stored>, number]>([
		['where nothing is stored, at once', nothing, 0],
		['where nothing is stored, once the service does not fail any more', nothing, 5],
		['where another address is stored, once the service does not fail any more', moved, 5],
	])('subscribes %s', async (_, changes, refusals) => {
		await restart(changes, refusals);
		await scene.minutes(30);
		expect(hooks()).toEqual(Array.from({ length: 2 + refusals }, (__, n) => `+${n + 1}`));
		expect(await bring(first, 2 + refusals)).toMatchObject({ status: 200, run: [{}] });
		expect(scene.trigger.failures).toEqual([]);
		await deactivate(scene.stored);
		await scene.minutes(1);
		expect(hooks().slice(2 + refusals)).toEqual(['-2']);
	});

	test('that cannot subscribe tries less and less often, not twice at once, tells it once, and ends with its trigger', async () => {
		await restart(nothing, Infinity);
		const tries = () => targetsOf(scene.service).length - 1;
		await scene.minutes(30);
		expect(tries()).toBe(12);
		expectFailure(/could not get its responses delivered for \d+ minutes: .*503/);
		expect(warningsIn(logs)[0]).toMatch(/not be started as usual\. It looks for responses, and/);
		for (let n = 0; n < 15; n++) scene.trigger.tick();
		await scene.clock.pass(MINUTE);
		expect(tries()).toBe(13);
		await scene.trigger.close();
		await scene.minutes(20);
		expect(tries()).toBe(13);
	});

	test('that subscribes after half an hour tells so', async () => {
		await restart(nothing, 12);
		await scene.minutes(40);
		const again = /could get its responses delivered again/;
		const told = logs.filter(({ message }) => again.test(message));
		expect([scene.trigger.failures.length, told.length]).toEqual([1, 1]);
	});

	test('that subscribes late looks at once, as the service is back', async () => {
		scene.failure = reply(503);
		await restart(nothing, 2);
		await scene.clock.pass(50_000);
		Object.assign(scene, { failure: undefined, responses: [first], looks: [] });
		const backAt = Math.round(scene.clock.elapsed() / 1_000);
		scene.trigger.tick();
		await scene.clock.pass(20_000);
		expect(scene.looks[0]).toBe(backAt);
		expect(idsIn(scene.trigger.runs)).toEqual([[first.data.responseId]]);
	});

	test('is not told to have no hook beside looks that fail', async () => {
		scene.failure = reply(403, anError('insufficient_scope', 'No'));
		await restart(nothing, Infinity);
		await scene.minutes(25);
		expectFailure(/could not read the latest responses/);
	});

	test('that could not subscribe tries no more after a publication that was refused', async () => {
		await restart(nothing, 1);
		Object.assign(scene.stored.parameters, { options: { onlyIf: { conditions: [{}] } } });
		await expect(activate(scene.stored)).rejects.toThrow(/Only If/);
		const before = hooks();
		await scene.minutes(20);
		expect(hooks()).toEqual(before);
	});
});
