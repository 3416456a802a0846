import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';
import type { Clock } from '../../../../clock';
import { startClock } from '../../../../clock';
import { activate, callHook, deactivate } from '../../../../in-process/hook';
import { keepLogs } from '../../../../in-process/logs';
import { startTrigger } from '../../../../in-process/trigger';
import { deliver, queryOf } from '../../../../in-process/webhook';
import type { Stored } from '../../../../in-process/workflow';
import { WEBHOOK_BASE_URL, WEBHOOK_ID } from '../../../../in-process/workflow';
import { aHook, aResponse, FORM_ID, idOf, OTHER_FORM_ID } from '../../../../samples';
import type { FakeService } from '../../../../service';
import { fakeService, ORIGIN, refused } from '../../../../service';
import { nextTurn } from '../../../../turn';
import {
	activated,
	aWorkflow,
	pushed,
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

test('a delivery that comes before anything is stored is known already', async () => {
	serveHooks(service);
	const stored = aWorkflow();
	const before = { ...stored };
	await activate(stored);
	const query = queryOf(targetsOf(service)[0]);
	const { status, run } = await deliver(before, { body: aResponse(), query });
	expect([status, run]).toEqual([200, pushed(aResponse())]);
});

test.each([false, true])(
	'unpublished while the service makes its hook, it is left without one (published before: %s)',
	async (wasPublished) => {
		const logs = keepLogs(trigger);
		const stored = wasPublished ? await activated(service) : aWorkflow();
		nock.cleanAll();
		const stopping: Array<Promise<unknown>> = [];
		service.always('DELETE', /./, refused(204));
		service.always('POST', '/hooks', () => {
			stopping.push(callHook(stored, 'delete'));
			return refused(201, aHook({ id: idOf(2, 5) }));
		});
		await callHook(stored, 'create').catch(() => {});
		await Promise.all(stopping);
		expect(service.calls()).toContain(`DELETE /hooks/${idOf(2, 5)}`);
		expect(JSON.stringify(logs)).toContain('was unpublished while the trigger subscribed');
	},
);

describe('responses count', () => {
	test.each([
		['', 0],
		[', by the clock of a service that is hours behind', 5 * HOUR],
	])(
		'from the hook on; where another node took the name, from the stop of the first one%s',
		async (_, behind) => {
			serveHooks(service, () => new Date(clock.now() - behind).toISOString());
			const stored = aWorkflow();
			await activate(stored);
			expect(Date.parse(stateIn(stored)!.since!)).toBe(clock.now() - behind);
			await clock.pass(HOUR);
			const stop = clock.now() - behind;
			await deactivate(stored);
			await clock.pass(10 * SECOND);
			stored.nodeId = 'pasted';
			await activate(stored);
			const { since } = stateIn(stored)!;
			expect(Math.abs(Date.parse(since!) - stop)).toBeLessThan(SECOND);
			await clock.pass(HOUR);
			await activate(stored);
			expect(stateIn(stored)?.since).toBe(since);
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
	let limits: number[];
	/** Lets so much time pass, with what ends then. */
	let pass: (ms: number) => void;

	beforeEach(() => {
		keepLogs(trigger);
		let passed = 0;
		const ends: Array<{ at: number; end: () => void }> = [];
		limits = [];
		jest.spyOn(Date, 'now').mockImplementation(() => clock.now() + passed);
		jest.spyOn(performance, 'now').mockImplementation(() => clock.now() + passed);
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

	/** It was there when the workflows were published. */
	async function hang(...stored: Stored[]) {
		serveHooks(service);
		for (const one of stored) await activate(one);
		nock.cleanAll();
		let asked = 0;
		const never = async () => (asked++, await new Promise<never>(() => {}));
		nock(ORIGIN).persist().post('/api/v1/hooks').reply(201, never);
		return async (times: number) => {
			while (asked < times) await nextTurn();
			return asked;
		};
	}

	test('is given up by a start after 5 seconds, and the next one does not ask it for a minute', async () => {
		const [first, second] = [aWorkflow(), aWorkflow()];
		const asked = await hang(first, second);
		const before = stateIn(first);
		limits.splice(0);
		const starting = activate(first, START);
		await asked(1);
		pass(5 * SECOND);
		await starting;
		expect(Math.max(...limits)).toBe(5 * SECOND);
		expect(stateIn(first)).toMatchObject({ ...before });

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

	test('is given up by a publication after 10 seconds', async () => {
		const asked = await hang();
		const publishing = activate(aWorkflow());
		await asked(1);
		pass(10 * SECOND);
		await expect(publishing).rejects.toThrow(/forms\.example\.com did not answer in time/);
		expect(Math.max(...limits)).toBe(10 * SECOND);
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
		/could not be started as usual\. It looks for responses meanwhile, and tries again by itself: /,
	);
	await started.close();
	clock.kill();
});
