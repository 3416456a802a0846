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

describe('responses count', () => {
	test.each([
		['', 0],
		[', by the clock of a service that is hours behind', 5 * HOUR],
	])(
		'from the hook on%s; where another node took the name, from its own hook on',
		async (_, behind) => {
			serveHooks(service, () => new Date(clock.now() - behind).toISOString());
			const stored = aWorkflow();
			await activate(stored);
			expect(Date.parse(stateIn(stored)!.since!)).toBe(clock.now() - behind);
			await clock.pass(HOUR);
			stored.nodeId = 'pasted';
			await activate(stored);
			expect(Date.parse(stateIn(stored)!.since!)).toBe(clock.now() - behind);
		},
	);

	test.each(['a', 'b'])(
		'on for a trigger that takes the name of one deleted meanwhile, whichever subscribed last: %s',
		async (last) => {
			serveHooks(service, () => new Date(clock.now()).toISOString());
			const stayed = aWorkflow({}, { nodeId: 'a' });
			const { workflowId } = stayed;
			const formId = { __rl: true, mode: 'list', value: OTHER_FORM_ID };
			const deleted = aWorkflow({ formId }, { nodeId: 'b', workflowId });
			const order = last === 'a' ? [deleted, stayed] : [stayed, deleted];
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
});

describe('a service that hangs', () => {
	let passed: number;
	let limits: Array<{ ms: number; at: number; end: () => void }>;

	beforeEach(() => {
		keepLogs(trigger);
		[passed, limits] = [0, []];
		const now = () => clock.now() + passed;
		jest.spyOn(Date, 'now').mockImplementation(now);
		jest.spyOn(performance, 'now').mockImplementation(now);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const limit = new AbortController();
			limits.push({ ms, at: now() + ms, end: () => limit.abort() });
			return limit.signal;
		});
	});

	/** Lets so much time pass, with what ends then. */
	function pass(ms: number) {
		passed += ms;
		for (const { at, end } of limits) if (at <= Date.now()) end();
	}

	/** It was there when the workflows were published. @returns waits until it was asked so often */
	async function hang(...stored: Stored[]) {
		serveHooks(service);
		for (const one of stored) await activate(one);
		limits.splice(0);
		nock.cleanAll();
		let asked = 0;
		const never = async () => (asked++, await new Promise<never>(() => {}));
		nock(ORIGIN).persist().post('/api/v1/hooks').reply(201, never);
		return async (times: number) => {
			while (asked < times) await nextTurn();
			return asked;
		};
	}

	const longest = () => Math.max(...limits.map(({ ms }) => ms));

	test('is given up by a start after 5 seconds', async () => {
		const stored = aWorkflow();
		const asked = await hang();
		const starting = activate(stored, START);
		await asked(1);
		pass(5 * SECOND);
		await starting;
		expect(longest()).toBe(5 * SECOND);
		expect(stateIn(stored)?.status).toBe('subscribed');
	});

	test('is given up by a publication after 10 seconds', async () => {
		const asked = await hang();
		const publishing = activate(aWorkflow());
		await asked(1);
		pass(10 * SECOND);
		await expect(publishing).rejects.toThrow(/forms\.example\.com did not answer in time/);
		expect(longest()).toBe(10 * SECOND);
	});
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
	const made = (hook = {}) => refused(201, aHook(hook));
	const forbidden = refused(403, anError('insufficient_scope', 'No'));
	const limited = (seconds: number) =>
		refused(429, anError('rate_limited', 'Slow'), { 'Retry-After': String(seconds) });
	let logs: ReturnType<typeof keepLogs>;
	let stored: Stored;

	beforeEach(async () => {
		clock = startClock({ standing: true });
		logs = keepLogs(trigger);
		service.on('POST', '/hooks', made());
		stored = aWorkflow();
		await activate(stored);
	});

	test.each<[string, Reply]>([
		['429', limited(60)],
		['500', refused(500)],
	])('%s: the pause counts from now, and the hook is removed later', async (_, reply) => {
		service.on('DELETE', path, ...Array<Reply>(9).fill(reply), refused(204));
		const stoppedAt = clock.now();
		const stopping = deactivate(stored);
		await clock.pass(20 * SECOND);
		await stopping;
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
			return forbidden;
		});
		service.on('POST', '/hooks', made({ id: idOf(2, 5) }));
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
	const state = { status: 'stopped' } as TriggerState;
	plan(memory, { hook: state, begin: async () => void removedAt.push(clock.elapsed() / SECOND) });
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
