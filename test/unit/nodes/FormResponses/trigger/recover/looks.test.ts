import type { IDataObject } from 'n8n-workflow';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import { lostRun } from '../../../../kit/trigger';
import { anAnswer, anError, idOf, responsesOf } from '../../../../kit/samples';
import { reply } from '../../../../kit/formService';
import { aScene, SINCE, type Scene } from './scene.fixture';
import { idsIn, trigger } from '../trigger.fixture';

const polling = { authentication: 'apiKey', pollInterval: 1 };

let scene: Scene;
let logs: ReturnType<typeof keepLogs>;

beforeEach(() => {
	logs = keepLogs(trigger);
});

afterEach(async () => {
	await scene.stop();
});

/** Starts n8n, and lets the first look pass. */
async function begin(parameters: IDataObject, responses = responsesOf(0)) {
	scene = Object.assign(aScene(parameters), { responses });
	await scene.start();
	await scene.minutes(1);
}

async function see(responses: Scene['responses'], minutes: number) {
	scene.responses = responses;
	await scene.minutes(minutes);
}

test('an idle form is looked at less and less often', async () => {
	await begin({});
	await scene.minutes(74);
	const minutes = scene.gaps().map((seconds) => Math.round(seconds / 60));
	expect(minutes.slice(0, 7)).toEqual([1, 2, 4, 8, 15, 15, 15]);
});

test('a busy form is looked at each time that half a page may have come', async () => {
	const everyTenSeconds = responsesOf(25).map((one, index) => {
		const completedAt = new Date(Date.parse(SINCE) - index * 10_000).toISOString();
		return { ...one, data: { ...one.data, completedAt } };
	});
	await begin({}, everyTenSeconds);
	await scene.minutes(20);
	const minutes = scene.gaps().map((seconds) => Math.round(seconds / 60));
	expect(minutes.slice(0, 5)).toEqual([1, 2, 2, 2, 2]);
});

test('no look follows within half a minute of another one', async () => {
	scene = aScene();
	await scene.start();
	await scene.clock.pass(20_000);
	await scene.minutes(2);
	expect(scene.looks).toEqual([3, 80]);
});

test('what ran is not run or asked about again', async () => {
	await begin({}, responsesOf(3, SINCE));
	const { length } = scene.trigger.emitted;
	await scene.minutes(60);
	expect([scene.trigger.runs.length, scene.trigger.emitted.length]).toEqual([3, length]);
});

test('what runs for long is not run again by the looks meanwhile', async () => {
	scene = aScene(polling);
	await scene.start({ onEmit: lostRun });
	await scene.minutes(1);
	await see(responsesOf(1, SINCE), 4);
	expect([scene.looks.length, scene.trigger.emitted.length]).toEqual([6, 1]);
});

test('no look begins while another one has to wait for the service', async () => {
	await begin(polling);
	scene.failure = reply(429, anError('rate_limited', 'Slow down'), { 'retry-after': '150' });
	scene.looks = [];
	await scene.minutes(1);
	scene.failure = undefined;
	await scene.minutes(2);
	expect(scene.looks).toHaveLength(2);
});

describe('with an API key', () => {
	test('each new response runs once, and is not taken for one that a hook should have delivered', async () => {
		await begin(polling, responsesOf(2, SINCE));
		for (let count = 3; count < 8; count++) await see(responsesOf(count, SINCE), 1);
		expect(idsIn(scene.trigger.runs)).toEqual([3, 4, 5, 6, 7].map((n) => [idOf(n, 2)]));
		expect(scene.service.calls().every((call) => call.startsWith('GET'))).toBe(true);
	});

	test('an interval that can no longer be read ends nothing: a look comes each five minutes', async () => {
		await begin(polling);
		await scene.stop();
		scene.stored.parameters.pollInterval = 0;
		await scene.start();
		await scene.minutes(21);
		expect(scene.gaps().slice(-3)).toEqual([300, 300, 300]);
	});

	test('after a failure of minutes, the next look comes with the interval', async () => {
		await begin({ ...polling, pollInterval: 2 });
		scene.failure = reply(403, anError('insufficient_scope', 'No'));
		scene.looks = [];
		await scene.minutes(20);
		expect(scene.gaps()).toEqual([60, 60, 60, 60, 60, 120, 120, 120, 120, 120, 120]);
		scene.failure = undefined;
		await see(responsesOf(3, SINCE), 2);
		expect(idsIn(scene.trigger.runs)).toEqual([[idOf(1, 2)], [idOf(2, 2)], [idOf(3, 2)]]);
	});
});

describe('with Only If', () => {
	const onlyIf = (condition: IDataObject) => ({ onlyIf: { conditions: [condition] } });
	const isPoor = onlyIf({ label: 'Rating', value: 'Poor' });
	const poorPolling = { ...polling, options: isPoor };

	/** Newest first; those at the positions are poor. */
	const mixed = (count: number, ...poor: number[]) =>
		responsesOf(count, SINCE).map((one, index) => {
			const value = poor.includes(index) ? 'Poor' : 'Good';
			const answers = [anAnswer({ label: 'Rating', value })];
			return { ...one, data: { ...one.data, answers } };
		});

	test.each<[string, IDataObject]>([
		['a hook', { options: isPoor }],
		['an API key', poorPolling],
		// n8n evaluates it at the start only.
		[
			'another option that is an expression',
			{ options: { ...isPoor, flattenAnswers: '={{ true }}' } },
		],
	])('what meets it runs, once, with %s', async (_, parameters) => {
		await begin(parameters);
		await see(mixed(10, 0, 5), 20);
		expect(idsIn(scene.trigger.runs)).toEqual([[idOf(5, 2)], [idOf(10, 2)]]);
	});

	test.each<[string, IDataObject, number, number]>([
		['a question that no response has', { label: 'Ratnig', value: 'Poor' }, 10, 1],
		['a question that few responses do not have', { label: 'x', value: '1' }, 9, 0],
		['a question that is there', { label: 'rating', value: 'x' }, 25, 0],
	])('a failed execution tells once of %s: %j', async (_, condition, count, times) => {
		await begin({ options: onlyIf(condition) });
		await see(mixed(count), 20);
		expect(scene.trigger.failures).toHaveLength(times);
		await see(mixed(25), times * 60);
		const message = `"Only If": No question is called "${condition.label as string}" in what the form service shows. There are: Rating.`;
		expect(scene.trigger.failures.map((one) => one.message)).toEqual(Array(times).fill(message));
	});

	test('a failed execution tells of a question that was renamed', async () => {
		await begin(poorPolling, mixed(20));
		expect(scene.trigger.failures).toEqual([]);
		const renamed = mixed(20).map((one) => {
			const answers = [anAnswer({ label: 'Stars', value: 'Poor' })];
			return { ...one, data: { ...one.data, answers } };
		});
		await see(renamed, 2);
		expect(scene.trigger.failures).toHaveLength(1);
	});

	test('the log warns where none of a page that was polled was there before, and only then', async () => {
		const all = mixed(60, 34);
		const page = (newest: number) => all.slice(all.length - newest).slice(0, 25);
		await begin(poorPolling, page(25));
		await see(page(26), 2);
		expect(scene.trigger.runs).toMatchObject([[{ isOldestShown: false }]]);
		expect(warningsIn(logs)).toEqual([]);
		await see(page(60), 2);
		expect(warningsIn(logs).join()).toContain('more responses came than the API shows');
	});
});
