import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';
import { startClock, type Clock } from '../../../../clock';
import type { TriggerState } from '../../../../../nodes/FormResponses/trigger/state/state';
import { emptyMemory } from '../../../../../nodes/FormResponses/trigger/state/memory';
import { plan, take } from '../../../../../nodes/FormResponses/trigger/subscribe/removal';
import { activate, callHook, deactivate } from '../../../../in-process/hook';
import { keepLogs } from '../../../../in-process/logs';
import { startTrigger } from '../../../../in-process/trigger';
import { WEBHOOK_BASE_URL, WEBHOOK_ID, type Stored } from '../../../../in-process/workflow';
import { aHook, anError, FORM_ID, HOOK_ID, idOf, OTHER_FORM_ID } from '../../../../samples';
import { fakeService, ORIGIN, refused, type FakeService, type Reply } from '../../../../service';
import { nextTurn } from '../../../../turn';
import {
	activated,
	aWorkflow,
	inAnotherProcess,
	serveHooks,
	stateIn,
	targetsOf,
	trigger,
} from '../trigger.fixture';

const START = { activation: 'init' } as const;
const SECOND = 1_000;
const HOUR = 3_600_000;

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

test('subscribes the node’s own URL with a secret key', async () => {
	await activated(service);
	expect(service.calls()).toEqual(['POST /hooks']);
	const { formId } = service.sent[0].body as IDataObject;
	expect(formId).toBe(FORM_ID);
	expect(targetsOf(service)[0]).toMatch(
		new RegExp(`^${WEBHOOK_BASE_URL}/${WEBHOOK_ID}/webhook\\?key=\\d{13}\\.[\\w-]{43}$`),
	);
});

test('unpublished while the service makes its hook, it is left without one', async () => {
	clock = startClock({ standing: true });
	const stored = aWorkflow();
	let stopping: Promise<unknown> | undefined;
	service.always('DELETE', /./, refused(204));
	service.always('POST', '/hooks', () => {
		stopping = deactivate(stored);
		return refused(201, aHook({ id: idOf(2, 5) }));
	});
	await activate(stored);
	await stopping;
	await clock.pass(11 * SECOND);
	expect(service.calls()).toEqual(['POST /hooks', `DELETE /hooks/${idOf(2, 5)}`]);
	expect(stateIn(stored)?.status).toBe('stopped');
});

const hooksAreMade = (behind = 0) =>
	serveHooks(service, () => new Date(clock.now() - behind).toISOString());

test.each([
	['', 0],
	[', by the clock of a service that is hours behind', 5 * HOUR],
])('responses count from the hook on%s; of another node with the name too', async (_, behind) => {
	hooksAreMade(behind);
	const stored = aWorkflow();
	for (const nodeId of ['first', 'pasted']) {
		stored.nodeId = nodeId;
		await activate(stored);
		expect(Date.parse(stateIn(stored)!.since!)).toBe(clock.now() - behind);
		await clock.pass(HOUR);
	}
});

test.each(['stayed', 'deleted'])(
	'responses count on for a trigger that takes the name of a deleted one; the last was %s',
	async (last) => {
		hooksAreMade();
		const stayed = aWorkflow({}, { nodeId: 'a' });
		const { workflowId } = stayed;
		const formId = { __rl: true, mode: 'list', value: OTHER_FORM_ID };
		const deleted = aWorkflow({ formId }, { nodeId: 'b', workflowId });
		const order = last === 'stayed' ? [deleted, stayed] : [stayed, deleted];
		for (const one of order) {
			await activate(one);
			await clock.pass(5 * SECOND);
		}
		const first = stateIn(stayed)?.since;
		for (const one of order) await deactivate(one);
		const renamed = { ...stayed, staticData: deleted.staticData };
		await activate(renamed, { activation: 'update' });
		expect(stateIn(renamed)?.since).toBe(first);
	},
);

test.each([
	['a start after 5 seconds', START, 5, 'subscribed'],
	['a publication after 10 seconds', {}, 10, /forms\.example\.com did not answer in time/],
])('a service that hangs is given up by %s', async (_, options, seconds, outcome) => {
	keepLogs(trigger);
	const limits: Array<{ ms: number; end: () => void }> = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const limit = new AbortController();
		limits.push({ ms, end: () => limit.abort() });
		return limit.signal;
	});
	let asked = 0;
	const never = async () => (asked++, await new Promise<never>(() => {}));
	nock(ORIGIN).persist().post('/api/v1/hooks').reply(201, never);
	const stored = aWorkflow();
	const activating = activate(stored, options).then(
		() => stateIn(stored)?.status,
		({ message }: Error) => message,
	);
	while (asked === 0) await nextTurn();
	jest.spyOn(performance, 'now').mockReturnValue(performance.now() + seconds * SECOND);
	limits.forEach(({ end }) => end());
	expect(await activating).toEqual(expect.stringMatching(outcome));
	expect([Math.max(...limits.map(({ ms }) => ms)), asked]).toEqual([seconds * SECOND, 1]);
});

test.each<[string, object]>([
	['a form', { formId: { __rl: true, mode: 'id', value: '' } }],
	['an interval', { authentication: 'apiKey', pollInterval: 'often' }],
])('the trigger starts with %s that cannot be read', async (_, wrong) => {
	const logs = keepLogs(trigger);
	service.always('GET', /./, refused(503));
	const stored = aWorkflow({ ...wrong });
	const started = await startTrigger(stored);
	await activate(stored, START);
	expect(started.crons).toHaveLength(1);
	expect(logs[0].message).toMatch(
		/could not be started as usual\. It looks for responses, and tries again: /,
	);
	await started.close();
	clock.kill();
});

describe('a hook that cannot be removed', () => {
	const path = `/hooks/${HOOK_ID}`;
	let logs: ReturnType<typeof keepLogs>;
	let stored: Stored;

	beforeEach(async () => {
		clock = startClock({ standing: true });
		logs = keepLogs(trigger);
		service.on('POST', '/hooks', refused(201, aHook()));
		stored = aWorkflow();
		await activate(stored);
	});

	test('the pause counts from now, and the hook is removed later', async () => {
		const limited = refused(429, anError('rate_limited', 'Slow'), { 'Retry-After': '60' });
		service.on('DELETE', path, ...Array<Reply>(9).fill(limited), refused(204));
		const stoppedAt = clock.now();
		await deactivate(stored);
		await clock.pass(20 * SECOND);
		expect(stateIn(stored)).toMatchObject({ status: 'stopped', stoppedAt, hookId: HOOK_ID });
		await clock.pass(HOUR);
		expect(service.calls()).toEqual(['POST /hooks', ...Array<string>(10).fill(`DELETE ${path}`)]);
		expect(logs[0].message).toMatch(/^Hook .* could not be removed/);
	});

	test.each<[string, number, (stored: Stored) => Promise<unknown>]>([
		['unpublished', 10, deactivate],
		['published again', 0, activate],
	])('is tried for an hour, at waits that grow to five minutes: %s', async (_, begin, leave) => {
		const at: number[] = [];
		service.always('DELETE', path, () => {
			at.push(clock.elapsed() / SECOND);
			return refused(403, anError('insufficient_scope', 'No'));
		});
		service.on('POST', '/hooks', refused(201, aHook({ id: idOf(2, 5) })));
		await leave(stored);
		await clock.pass(3 * HOUR);
		const waits = [0, 5, 10, 20, 40, 80, 160, ...Array<number>(10).fill(300)];
		expect(at[0]).toBe(begin);
		expect(at.map((time, n) => time - (at[n - 1] ?? begin))).toEqual(waits);
	});
});

test('a removal that is planned again waits as long again', async () => {
	clock = startClock({ standing: true });
	const removedAt: number[] = [];
	const memory = emptyMemory();
	const begin = async () => void removedAt.push(clock.elapsed() / SECOND);
	plan(memory, { hook: {} as TriggerState, begin });
	await clock.pass(9 * SECOND);
	plan(memory, take(memory)!);
	await clock.pass(20 * SECOND);
	expect(removedAt).toEqual([19]);
});

test('a subscription that another main process stopped is none', async () => {
	const stored = await activated(service);
	const other = inAnotherProcess(stored);
	await deactivate(other);
	stored.staticData = other.staticData;
	expect(await callHook(stored, 'checkExists', { activation: 'update' })).toBe(false);
});
