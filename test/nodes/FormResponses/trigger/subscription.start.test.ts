import nock from 'nock';
import type { Clock } from '../../../clock';
import { startClock } from '../../../clock';
import { activate } from '../../../in-process/hook';
import { keepLogs } from '../../../in-process/logs';
import { startTrigger } from '../../../in-process/trigger';
import type { Stored } from '../../../in-process/workflow';
import { fakeService, ORIGIN, refused } from '../../../service';
import { nextTurn } from '../../../turn';
import {
	activated,
	aWorkflow,
	inAnotherProcess,
	serveHooks,
	stateIn,
	trigger,
} from './trigger.fixture';

const START = { activation: 'init' } as const;
const SECOND = 1_000;

let clock: Clock;
let limits: number[];
/** Lets so much time pass, with what ends then. */
let pass: (ms: number) => void;

beforeEach(() => {
	clock = startClock();
	keepLogs(trigger);
	let passed = 0;
	const ends: Array<{ at: number; end: () => void }> = [];
	limits = [];
	jest.spyOn(Date, 'now').mockImplementation(() => clock.now() + passed);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const limit = new AbortController();
		limits.push(ms);
		ends.push({ at: Date.now() + ms, end: () => limit.abort() });
		return limit.signal;
	});
	pass = (ms) => {
		passed += ms;
		for (const { at, end } of ends) if (at <= Date.now()) end();
	};
});

/** A service that was there when the workflows were published, and hangs now. */
async function hangingService(...stored: Stored[]) {
	const service = fakeService();
	serveHooks(service);
	for (const one of stored) await activate(one);
	nock.cleanAll();
	let asked = 0;
	const hang = nock(ORIGIN).persist().post('/api/v1/hooks');
	hang.reply(201, async () => (asked++, await new Promise<never>(() => {})));
	return async (times: number) => {
		while (asked < times) await nextTurn();
		return asked;
	};
}

test('a start gives a service up after 5 seconds, and the next one does not ask it for a minute', async () => {
	const [first, second] = [aWorkflow(), aWorkflow()];
	const asked = await hangingService(first, second);
	const before = stateIn(first);
	limits.splice(0);
	const starting = activate(first, START);
	await asked(1);
	pass(5 * SECOND);
	await starting;
	expect(Math.max(...limits)).toBe(5 * SECOND);
	expect(stateIn(first)).toMatchObject({ ...before, keys: expect.any(Array) as unknown });

	pass(59 * SECOND);
	await activate(second, START);
	expect(await asked(1)).toBe(1);
	pass(SECOND);
	const again = activate(second, START);
	await asked(2);
	pass(5 * SECOND);
	await again;
	expect(stateIn(second)?.status).toBe('subscribed');
});

test('a publication gives a service up after 10 seconds', async () => {
	const asked = await hangingService();
	const publishing = activate(aWorkflow());
	await asked(1);
	pass(10 * SECOND);
	await expect(publishing).rejects.toThrow(/forms\.example\.com did not answer in time/);
	expect(Math.max(...limits)).toBe(10 * SECOND);
});

test('a start at an address that cannot be reached leaves what the next one needs', async () => {
	const service = fakeService();
	const stored = await activated(service);
	const { hookId } = stateIn(stored)!;
	const moved = inAnotherProcess({ ...stored, webhookBaseUrl: 'http://localhost:5678/webhook' });
	await activate(moved, START);
	expect(stateIn(moved)).toMatchObject({ hookId, status: 'subscribed' });
	expect(service.calls()).toEqual(['POST /hooks']);
	await activate(inAnotherProcess({ ...moved, webhookBaseUrl: undefined }), START);
	expect(service.calls().slice(1)).toEqual(['POST /hooks', `DELETE /hooks/${hookId}`]);
});

test.each<[string, object]>([
	['a form that cannot be read', { formId: { __rl: true, mode: 'id', value: '' } }],
	['an interval that cannot be read', { authentication: 'apiKey', pollInterval: 'often' }],
])('the trigger starts with %s', async (_, wrong) => {
	fakeService().always('GET', /./, refused(503));
	const stored = aWorkflow({ ...wrong });
	const started = await startTrigger(stored);
	await activate(stored, START);
	expect(started.crons).toHaveLength(1);
	await started.close();
	clock.kill();
});
