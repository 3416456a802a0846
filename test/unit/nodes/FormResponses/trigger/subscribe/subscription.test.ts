import { NodeApiError, NodeOperationError, sleep, type IDataObject } from 'n8n-workflow';
import nock from 'nock';
import { keyIn } from '../../../../../../nodes/FormResponses/trigger/state/hookKey';
import { emptyMemory, memoryOf } from '../../../../../../nodes/FormResponses/trigger/state/memory';
import type { TriggerState } from '../../../../../../nodes/FormResponses/trigger/state/triggerState';
import { plan, take } from '../../../../../../nodes/FormResponses/trigger/subscribe/plannedRemoval';
import { changeHooks } from '../../../../../../nodes/FormResponses/trigger/subscribe/spareHook';
import { heldLimits, startClock, type Clock } from '../../../../kit/clock';
import { SECRETS } from '../../../../kit/credentials';
import { everythingIn } from '../../../../kit/everything';
import { activate, callHook, deactivate } from '../../../../kit/hook';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import { aTriggerContext, startTrigger } from '../../../../kit/trigger';
import { queryOf } from '../../../../kit/webhook';
import { WEBHOOK_BASE_URL, WEBHOOK_ID, type Stored } from '../../../../kit/workflow';
import { aHook, anError, FORM_ID, HOOK_ID, idOf, OTHER_FORM_ID } from '../../../../kit/samples';
import {
	fakeService,
	fault,
	ok,
	ORIGIN,
	reply,
	type FakeService,
	type Reply,
} from '../../../../kit/formService';
import { nextTurn } from '../../../../kit/turn';
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

const made = (hook = {}) => reply(201, aHook(hook));

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
	const [url, key] = targetsOf(service)[0].split('?key=');
	expect(url).toBe(`${WEBHOOK_BASE_URL}/${WEBHOOK_ID}/webhook`);
	expect(key).toMatch(/^\d{13}\.[\w-]{43}$/);
});

test('unpublished while the service makes its hook, it is left without one', async () => {
	clock = startClock({ standing: true });
	const stored = aWorkflow();
	let stopping: Promise<unknown> | undefined;
	service.always('DELETE', /./, reply(204));
	service.always('POST', '/hooks', () => {
		stopping = deactivate(stored);
		return made({ id: idOf(2, 5) });
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
	'on where a node takes the name of a deleted one: %s',
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
	const limits = heldLimits();
	let asked = 0;
	const never = async () => (asked++, await new Promise<never>(() => {}));
	nock(ORIGIN).persist().post('/api/v1/hooks').reply(201, never);
	const stored = aWorkflow();
	const status = activate(stored, options).then(() => stateIn(stored)?.status);
	while (asked === 0) await nextTurn();
	jest.spyOn(performance, 'now').mockReturnValue(performance.now() + seconds * SECOND);
	limits.forEach(({ end }) => end());
	const told = await status.catch(({ message }: Error) => message);
	expect(told).toEqual(expect.stringMatching(outcome));
	expect([Math.max(...limits.map(({ ms }) => ms)), asked]).toEqual([seconds * SECOND, 1]);
});

test.each<[string, object]>([
	['a form', { formId: { __rl: true, mode: 'id', value: '' } }],
	['an interval', { authentication: 'apiKey', pollInterval: 'often' }],
])('the trigger starts with %s that cannot be read', async (_, wrong) => {
	const logs = keepLogs(trigger);
	service.always('GET', /./, reply(503));
	const stored = aWorkflow({ ...wrong });
	const started = await startTrigger(stored);
	await activate(stored, START);
	expect(started.crons).toHaveLength(1);
	expect(logs[0].message).toMatch(/not be started as usual\. It looks for responses, and tries/);
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
		service.on('POST', '/hooks', made());
		stored = aWorkflow();
		await activate(stored);
	});

	test('the pause counts from now, and the hook is removed later', async () => {
		const limited = reply(429, anError('rate_limited', 'Slow'), { 'Retry-After': '60' });
		service.on('DELETE', path, ...Array<Reply>(9).fill(limited), reply(204));
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
			return reply(403, anError('insufficient_scope', 'No'));
		});
		service.on('POST', '/hooks', made({ id: idOf(2, 5) }));
		await leave(stored);
		await clock.pass(3 * HOUR);
		const waits = [0, 5, 10, 20, 40, 80, 160, ...Array<number>(10).fill(300)];
		expect(at[0]).toBe(begin);
		expect(at.map((time, n) => time - (at[n - 1] ?? begin))).toEqual(waits);
	});
});

test.each([
	['as long again', 0, 19],
	['longer where the database of n8n is slow', SECOND, 9 + 10 + 20],
])('a removal that is planned again waits %s', async (_, askMs, seconds) => {
	clock = startClock({ standing: true });
	const removedAt: number[] = [];
	const memory = emptyMemory();
	const begin = async () => void removedAt.push(clock.elapsed() / SECOND);
	const askN8n = async () => await sleep(askMs);
	plan(memory, { hook: {} as TriggerState, askN8n, begin });
	await clock.pass(9 * SECOND);
	plan(memory, take(memory)!);
	await clock.pass(60 * SECOND);
	expect(removedAt).toEqual([seconds]);
});

test('another spelling of n8n’s address changes nothing', async () => {
	serveHooks(service);
	const stored = aWorkflow({}, { webhookBaseUrl: 'https://N8N.example.org:443/webhook' });
	await activate(stored);
	stored.webhookBaseUrl = 'https://n8n.example.org/webhook';
	expect(await callHook(inAnotherProcess(stored), 'checkExists', START)).toBe(true);
});

test('a hook is not made later than the service answers', async () => {
	const createdAt = '2099-01-01T00:00:00.000Z';
	const date = 'Sun, 01 Mar 2026 12:00:00 GMT';
	service.on('POST', '/hooks', reply(201, aHook({ createdAt }), { date }));
	const stored = aWorkflow();
	await activate(stored);
	expect(stateIn(stored)?.since).toBe('2026-03-01T12:00:00.000Z');
});

test('what is no longer due when its turn comes changes no hook', async () => {
	const { context } = aTriggerContext(await activated(service));
	expect(await changeHooks(context, memoryOf(context), () => false)).toBeUndefined();
	expect(service.calls()).toEqual(['POST /hooks']);
});

test('a subscription that another main process stopped is none', async () => {
	const stored = await activated(service);
	const other = inAnotherProcess(stored);
	await deactivate(other);
	stored.staticData = other.staticData;
	expect(await callHook(stored, 'checkExists', { activation: 'update' })).toBe(false);
});

const byId = (value: string) => ({ formId: { __rl: true, mode: 'list', value } });
const polling = { authentication: 'apiKey' };
const invalid = (said: string) => reply(400, anError('invalid_request', said));
const ENOTFOUND = 'The target answered ENOTFOUND for that host';

test.each<[string, Reply, RegExp]>([
	['403', reply(403, anError('insufficient_scope', 'No')), /lacks the scope hooks:write/],
	['500', reply(500, anError('internal_error', 'Broken')), /failed \(500\)\. The hook may/],
	['200 instead of 201', ok(aHook()), /the wrong status 200\. The hook may/],
	['another form', made({ formId: OTHER_FORM_ID }), /whose formId is not .* The hook may/],
	['201 without an id', made({ id: undefined }), /whose id is not as documented/],
	['allowance', invalid('Too many subscriptions'), /Too many subscriptions\. Unpublish/],
	['its own words', invalid(ENOTFOUND), new RegExp(ENOTFOUND)],
])('%s: is told, and the hook is asked for once', async (_, reply, message) => {
	service.on('POST', '/hooks', reply);
	await expect(activate(aWorkflow())).rejects.toThrow(message);
	expect(service.calls()).toEqual(['POST /hooks']);
});

test('a lost answer: another hook is made, so that the key that n8n stores is the younger one', async () => {
	const lost = fault('ECONNRESET');
	service.on('POST', '/hooks', lost, made());
	const stored = aWorkflow();
	await activate(stored);
	const [first, second] = targetsOf(service).map((url) => keyIn(queryOf(url))!.madeAt);
	expect(second).toBeGreaterThan(first);
	expect(stateIn(stored)).toMatchObject({ status: 'subscribed', keyMadeAt: second });
	service.on('POST', '/hooks', lost, lost);
	await expect(activate(aWorkflow())).rejects.toThrow(/broke off\. The hook may have been made/);
	service.on('POST', '/hooks', lost, lost);
	const started = aWorkflow();
	await activate(started, START);
	const [last] = targetsOf(service).slice(-1);
	const { madeAt: keyMadeAt } = keyIn(queryOf(last))!;
	expect(stateIn(started)).toMatchObject({ status: 'subscribed', keyMadeAt });
	expect(service.calls()).toHaveLength(6);
});

// At a publication n8n 1 shows of a NodeApiError its description alone, the service's hint.
test.each([
	['a publication', {}, NodeOperationError],
	['a test', { isTest: true }, NodeApiError],
])('is told so that n8n shows the message: %s', async (_, options, kind) => {
	const refusal = reply(404, anError('not_found', 'No such form', 'Choose another form'));
	service.on('POST', '/hooks', refusal);
	const activating = activate(aWorkflow(), options);
	await expect(activating).rejects.toThrow(kind);
	await expect(activating).rejects.toThrow(/the form does not exist/);
});

test.each<[string, IDataObject, RegExp]>([
	['no form', byId(''), /^The parameter "Form" is empty/],
	['a wrong form', byId('../me'), /^The parameter "Form" is "\.\.\/me"/],
	['no interval', { ...polling, pollInterval: 0 }, /^The parameter "Poll Interval" is 0\./],
])('%s: is told by name, and nothing is sent', async (_, parameters, message) => {
	await expect(activate(aWorkflow(parameters))).rejects.toThrow(message);
	expect(service.sent).toEqual([]);
});

test.each([
	[
		'http://127.0.0.1:5678/webhook',
		true,
		/cannot reach this n8n at http:.*WEBHOOK_URL.*Or use an API key/,
	],
	['n8n.example.org/webhook', true, /is not whole: n8n\.example\.org\. .*WEBHOOK_URL.*https:/],
	['http://192.168.1.5:5678/webhook', false, /may not reach this n8n at http:.*WEBHOOK_URL/],
])(
	'n8n at %s, the service elsewhere: fails (%s), and says why',
	async (webhookBaseUrl, fails, message) => {
		const logs = keepLogs(trigger);
		serveHooks(service);
		const activating = activate(aWorkflow({}, { webhookBaseUrl }));
		if (fails) await expect(activating).rejects.toThrow(message);
		else await activating;
		expect(service.calls()).toEqual(fails ? [] : ['POST /hooks']);
		expect(warningsIn(logs).map((said) => message.test(said))).toEqual(fails ? [] : [true]);
	},
);

test('never shows a token or the key, also where the service does', async () => {
	const logs = keepLogs(trigger);
	service.always('POST', '/hooks', ({ authorization, body }) => {
		const said = `${authorization} ${JSON.stringify(body)}`;
		return reply(400, anError('invalid_request', said, String(authorization)));
	});
	const error: unknown = await activate(aWorkflow()).catch((thrown: unknown) => thrown);
	const [key] = targetsOf(service).map((url) => queryOf(url).key);
	const shown = `${everythingIn(error)} ${JSON.stringify(logs)}`;
	expect(shown).toContain('Could not subscribe to form');
	for (const secret of [...SECRETS, key.split('.')[1]]) expect(shown).not.toContain(secret);
});
