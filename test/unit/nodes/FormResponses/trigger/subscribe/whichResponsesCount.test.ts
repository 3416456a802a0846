import { responseKey } from '../../../../../../nodes/FormResponses/transport/responseKey';
import { startClock } from '../../../../kit/clock';
import { activate, callHook, deactivate } from '../../../../kit/hookMethods';
import { FORM_ID, responsesOf } from '../../../../kit/samples';
import type { Stored } from '../../../../kit/workflow';
import { fakeService, ok } from '../../../../kit/formService';
import { aWorkflow, inAnotherProcess, serveHooks, stateIn } from '../trigger.fixture';

const HOUR = 3_600_000;
const MINUTE = 60_000;

test('responses count from the hook on, by the clock of the service; of a node with the same name too', async () => {
	const clock = startClock();
	const serviceTime = () => new Date(clock.now() - 5 * HOUR).toISOString();
	serveHooks(fakeService(), serviceTime);
	const stored = aWorkflow();
	for (const nodeId of ['first', 'pasted']) {
		stored.nodeId = nodeId;
		await activate(stored);
		expect(stateIn(stored)?.since).toBe(serviceTime());
		await clock.pass(HOUR);
	}
});

/** What became of a trigger that was published two days ago. */
const fates: Record<string, (stored: Stored) => Promise<Stored> | Stored> = {
	'still published': (stored) => stored,
	'stopped a moment ago': async (stored) => (await deactivate(stored), stored),
	'stopped a moment ago by another process': async (stored) => {
		await deactivate(stored);
		return inAnotherProcess(stored);
	},
	'copied into another n8n': (stored) => {
		stateIn(stored)!.instanceId = 'another';
		return inAnotherProcess(stored);
	},
};

const DAYS_2 = { since: '2026-03-01T12:00:00.000Z' };
const DAY_1 = { since: '2026-03-02T12:01:00.000Z' };
const A_GUESS = { guessUntil: '2026-03-03T12:01:00.000Z' };

test.each([
	['still published', 'init', DAYS_2],
	['stopped a moment ago', 'activate', DAYS_2],
	['stopped a moment ago by another process', 'activate', DAYS_2],
	['stopped a moment ago', 'init', DAY_1],
	['stopped a moment ago', 'leadershipChange', DAY_1],
	['copied into another n8n', 'init', { ...DAYS_2, ...A_GUESS }],
] as const)('a trigger that was %s goes on at "%s" with %j', async (fate, activation, expected) => {
	const clock = startClock({ standing: true });
	const service = fakeService();
	serveHooks(service, () => new Date(clock.now()).toISOString());
	const before = aWorkflow();
	await activate(before);
	await clock.pass(48 * HOUR);
	const stored = await fates[fate](before);
	await clock.pass(MINUTE);
	await callHook(stored, 'create', { activation });
	const { since, guessUntil } = stateIn(stored)!;
	expect({ since, guessUntil }).toEqual(expected);
});

/** A clock that is behind that of n8n. */
const DATE = { date: 'Sun, 01 Mar 2026 11:58:20 GMT' };

test.each<[string, number, Record<string, string>, string]>([
	['its oldest', 25, {}, '2026-03-01T11:00:01.000Z'],
	["the service's time where the page is not full", 24, DATE, '2026-03-01T11:58:20.000Z'],
	["the service's time where the page is empty", 0, DATE, '2026-03-01T11:58:20.000Z'],
	['the newest shown where the service tells no time', 3, {}, '2026-03-01T11:59:01.000Z'],
	["n8n's time where nothing is shown either", 0, {}, '2026-03-01T12:00:00.000Z'],
])('with an API key those are new that are not older than %s', async (_, count, headers, since) => {
	startClock();
	const shown = responsesOf(count);
	fakeService().on('GET', `/forms/${FORM_ID}/responses`, ok({ data: shown }, headers));
	const stored = aWorkflow({ authentication: 'apiKey' });
	await activate(stored);
	expect(stateIn(stored)).toMatchObject({ since, baseline: shown.map(responseKey) });
});
