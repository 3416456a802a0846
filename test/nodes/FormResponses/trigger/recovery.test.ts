import type { Clock } from '../../../clock';
import { eventually, startClock } from '../../../clock';
import { missedOf } from '../../../../nodes/FormResponses/trigger/recovery';
import { SECRETS } from '../../../n8n/credentials';
import { activate, deactivate } from '../../../n8n/hook';
import { keepLogs } from '../../../n8n/logs';
import type { StartedTrigger } from '../../../n8n/trigger';
import { startTrigger } from '../../../n8n/trigger';
import { deliver } from '../../../n8n/webhook';
import type { Stored } from '../../../n8n/workflow';
import { anError, FORM_ID, idOf, responsesOf } from '../../../samples';
import type { FakeService } from '../../../service';
import { fakeService, ok, refused } from '../../../service';
import {
	activated,
	aWorkflow,
	currentQuery,
	idsIn,
	recovered,
	serveHooks,
	serveResponses,
	trigger,
} from './trigger.fixture';

const SINCE = '2026-03-01T12:00:00.000Z';

const MINUTE = 60_000;

const PATH = `/forms/${FORM_ID}/responses`;

let clock: Clock;

let service: FakeService;

let started: StartedTrigger[];

beforeEach(() => {
	clock = startClock();
	service = fakeService();
	started = [];
});

afterEach(async () => {
	await Promise.all(started.map(async ({ close }) => await close()));
});

async function start(stored: Stored, mode?: 'manual') {
	const one = await startTrigger(stored, mode);
	started.push(one);
	return one;
}

const reads = () => service.calls().filter((call) => call === `GET ${PATH}`).length;

describe('which responses were missed', () => {
	const none = new Set<string>();

	test.each<[string, string, string[], number[]]>([
		['those since the subscription, oldest first', '2026-03-01T11:00:02.000Z', [], [2, 3, 4]],
		['all, where there were none before', '', [], [1, 2, 3, 4]],
		['not those that were there before', '', [idOf(1, 2), idOf(2, 2)], [3, 4]],
		['none, where all are older', '2026-03-01T11:00:09.000Z', [], []],
	])('%s', (_, since, old, expected) => {
		const missed = missedOf(responsesOf(4), { since, old }, none);
		expect(missed.map(({ data }) => data.responseId)).toEqual(expected.map((n) => idOf(n, 2)));
	});

	test('not those that were given to n8n already', () => {
		const [newest] = responsesOf(4);
		const given = new Set([`${newest.data.responseId} ${newest.data.completedAt}`]);
		expect(missedOf(responsesOf(4), { since: '', old: [] }, given)).toHaveLength(3);
	});

	test('leaves the list as it is', () => {
		const newest = responsesOf(3);
		missedOf(newest, { since: '', old: [] }, none);
		expect(newest).toEqual(responsesOf(3));
	});
});

describe('a pushed trigger', () => {
	test('brings what came while n8n was down, oldest first in one run', async () => {
		const stored = await activated(service);
		serveResponses(service, responsesOf(3, SINCE));
		await clock.pass(MINUTE);
		const { runs } = await start(stored);
		await activate(stored);
		await eventually(() => expect(runs).toHaveLength(1));
		expect(idsIn(runs)).toEqual([[1, 2, 3].map((n) => idOf(n, 2))]);
		expect(runs[0]).toEqual(recovered(...responsesOf(3, SINCE).reverse()));
		expect(service.sent.find(({ path }) => path === PATH)?.query).toEqual({ limit: '25' });
	});

	test.each([
		['the trigger is started first', true],
		['the hook is made first', false],
	])('works where %s', async (_, triggerFirst) => {
		serveHooks(service, () => SINCE);
		serveResponses(service, responsesOf(1, SINCE));
		const stored = aWorkflow();
		if (!triggerFirst) await activate(stored);
		const { runs } = await start(stored);
		if (triggerFirst) await activate(stored);
		await eventually(() => expect(runs).toHaveLength(1));
	});

	test('waits until the hook is made, so that nothing falls in between', async () => {
		serveResponses(service, []);
		serveHooks(service);
		const stored = aWorkflow();
		await start(stored);
		await clock.pass(10_000);
		expect(reads()).toBe(0);
		await activate(stored);
		await clock.pass(2_000);
		await eventually(() => expect(reads()).toBe(1));
	});

	test('brings nothing of before its subscription', async () => {
		serveResponses(service, responsesOf(5));
		const stored = await activated(service);
		const { runs } = await start(stored);
		await eventually(() => expect(reads()).toBe(1));
		await clock.pass(MINUTE);
		expect(runs).toEqual([]);
	});

	test('does not bring what was delivered to this process', async () => {
		const stored = await activated(service);
		const [response] = responsesOf(1, SINCE);
		await deliver(stored, { body: response, query: currentQuery(service) });
		serveResponses(service, [response]);
		const { runs } = await start(stored);
		await eventually(() => expect(reads()).toBe(1));
		await clock.pass(MINUTE);
		expect(runs).toEqual([]);
	});

	test('tries again when the service is down, longer and longer, and says so once', async () => {
		const logs = keepLogs(trigger);
		const stored = await activated(service);
		let isDown = true;
		service.always('GET', PATH, ({ authorization }) =>
			isDown
				? refused(403, anError('internal_error', `Down for ${authorization}`))
				: ok({ data: responsesOf(1, SINCE) }),
		);
		const { runs } = await start(stored);
		await clock.pass(10 * MINUTE);
		expect(reads()).toBeGreaterThanOrEqual(5);
		expect(reads()).toBeLessThanOrEqual(10);
		isDown = false;
		await clock.pass(10 * MINUTE);
		await eventually(() => expect(runs).toHaveLength(1));
		const warnings = logs.filter(({ level }) => level === 'warn');
		expect(warnings).toHaveLength(1);
		expect(warnings[0].message).toMatch(/could not read the latest responses and tries again/);
		for (const secret of SECRETS) expect(JSON.stringify(logs)).not.toContain(secret);
	});

	test('that was closed reads nothing more', async () => {
		const stored = await activated(service);
		serveResponses(service, responsesOf(1, SINCE));
		const { runs, close } = await start(stored);
		await close();
		await clock.pass(10 * MINUTE);
		expect([reads(), runs]).toEqual([0, []]);
	});

	test('whose hook is gone after deactivation reads nothing', async () => {
		const stored = await activated(service);
		serveResponses(service, responsesOf(1, SINCE));
		await deactivate(stored);
		const { runs } = await start(stored);
		await clock.pass(10 * MINUTE);
		expect([reads(), runs]).toEqual([0, []]);
	});

	test('looks again once an hour, at a time of its own, should a delivery have failed', async () => {
		const stored = await activated(service);
		let now = responsesOf(0, SINCE);
		serveResponses(service, () => now);
		const { crons, tick, runs } = await start(stored);
		await eventually(() => expect(reads()).toBe(1));
		expect(crons).toEqual([expect.stringMatching(/^[0-5]?\d [0-5]?\d \* \* \* \*$/)]);
		await clock.pass(MINUTE);
		now = responsesOf(2, SINCE);
		tick();
		await eventually(() => expect(idsIn(runs)).toEqual([[1, 2].map((n) => idOf(n, 2))]));
	});
});

test('a test run recovers nothing', async () => {
	const stored = await activated(service);
	serveResponses(service, responsesOf(1, SINCE));
	const { runs } = await start(stored, 'manual');
	await clock.pass(10 * MINUTE);
	expect([reads(), runs]).toEqual([0, []]);
});
