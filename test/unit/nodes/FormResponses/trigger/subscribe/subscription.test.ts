import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import nock from 'nock';
import { heldLimits, startClock, type Clock } from '../../../../kit/clock';
import { addKnown, memoryOf } from '../../../../../../nodes/FormResponses/trigger/state/memory';
import { activate, callHook, deactivate } from '../../../../kit/hookMethods';
import { keepLogs } from '../../../../kit/logs';
import { aTriggerContext } from '../../../../kit/trigger';
import type { Stored } from '../../../../kit/workflow';
import { aHook, anError, FORM_ID, HOOK_ID } from '../../../../kit/samples';
import {
	fakeService,
	ok,
	ORIGIN,
	reply,
	type FakeService,
	type Reply,
} from '../../../../kit/formService';
import { nextTurn } from '../../../../kit/turn';
import {
	aWorkflow,
	activated,
	changeHooksOf,
	inAnotherProcess,
	serveHooks,
	stateIn,
	trigger,
} from '../trigger.fixture';

const START = { activation: 'init' } as const;
const SECOND = 1_000;

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

test('a workflow that is unpublished while the service makes its hook is left without one', async () => {
	clock = startClock({ standing: true });
	const stored = aWorkflow();
	let stopping: Promise<unknown> | undefined;
	service.always('DELETE', /./, reply(204));
	service.always('POST', '/hooks', () => {
		stopping = deactivate(stored);
		return reply(201, aHook());
	});
	await activate(stored);
	await stopping;
	await clock.pass(11 * SECOND);
	expect(service.calls()).toEqual(['POST /hooks', `DELETE /hooks/${HOOK_ID}`]);
	expect(stateIn(stored)?.status).toBe('stopped');
});

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

test('a subscription that another main process stopped is none', async () => {
	const stored = await activated(service);
	const other = inAnotherProcess(stored);
	await deactivate(other);
	stored.staticData = other.staticData;
	expect(await callHook(stored, 'checkExists', { activation: 'update' })).toBe(false);
});

const isResumed = async (stored: Stored) => await callHook(stored, 'checkExists', START);

test('a start goes on with the hook that is stored, and asks nothing; in another n8n, what was before is a guess', async () => {
	const stored = await activated(service);
	for (const [instanceId, guessUntil] of [
		[stateIn(stored)!.instanceId, undefined],
		['another', '2026-03-01T12:00:00.000Z'],
	]) {
		Object.assign(stateIn(stored)!, { instanceId });
		const other = inAnotherProcess(stored);
		expect(await isResumed(other)).toBe(true);
		expect(stateIn(other)?.guessUntil).toBe(guessUntil);
		expect(await changeHooksOf(other)).toBeUndefined();
	}
	expect(service.calls()).toEqual(['POST /hooks']);
});

test('a start with another kind of credential than the one stored does not go on', async () => {
	const stored = await activated(service);
	stored.parameters.authentication = 'apiKey';
	expect(await isResumed(stored)).toBe(false);
	service.always('GET', `/forms/${FORM_ID}/responses`, ok({ data: [] }));
	await activate(stored);
	expect(await isResumed(stored)).toBe(true);
	stored.parameters.authentication = 'oAuth2';
	expect(await isResumed(stored)).toBe(false);
});

const noForm = { formId: { __rl: true, mode: 'list', value: '' } };
const broken = reply(500, anError('internal_error', 'Broken'));

const noInterval = { authentication: 'apiKey', pollInterval: 0 };

test.each<[string, IDataObject, Reply[], boolean]>([
	['form', noForm, [], false],
	['service', {}, [broken], false],
	['poll interval', noInterval, [], true],
])('a start without a %s is made good later', async (...row) => {
	const [, parameters, replies, goesOn] = row;
	keepLogs(trigger);
	service.on('POST', '/hooks', ...replies, reply(201, aHook()));
	const stored = aWorkflow(parameters);
	await activate(stored, START);
	expect(await isResumed(inAnotherProcess(stored))).toBe(goesOn);
	Object.assign(stored.parameters, { formId: aWorkflow().parameters.formId, pollInterval: 5 });
	expect(await changeHooksOf(stored)).toBe('subscribed');
	expect(await changeHooksOf(stored)).toBeUndefined();
});

test('a start without a form after an unpublication, which ended the hook, makes another one later', async () => {
	keepLogs(trigger);
	serveHooks(service);
	const before = inAnotherProcess(aWorkflow());
	await activate(before);
	await deactivate(before);
	const { formId, ...others } = before.parameters;
	const stored = { ...before, type: trigger, parameters: { ...others, ...noForm } };
	await activate(stored, START);
	Object.assign(stored.parameters, { formId });
	expect(await changeHooksOf(stored)).toBe('subscribed');
});

test('a start whose options have no value subscribes as without options', async () => {
	const options = { existing: '={{ $("Webhook").first().json.all }}' };
	const stored = aWorkflow({ options });
	service.on('POST', '/hooks', reply(201, aHook()));
	await expect(activate(stored)).rejects.toThrow();
	await activate(stored, START);
	expect(stateIn(stored)?.hookId).toBe(HOOK_ID);
});

test('a start that makes no hook keeps the one there is, and makes none later', async () => {
	keepLogs(trigger);
	service.on('POST', '/hooks', reply(201, aHook()), broken);
	const stored = aWorkflow();
	await activate(stored);
	await callHook(stored, 'create', START);
	expect(await changeHooksOf(stored)).toBeUndefined();
	expect(stateIn(stored)?.hookId).toBe(HOOK_ID);
	expect(service.calls()).toEqual(['POST /hooks', 'POST /hooks']);
});

test.each<[string, Reply, string[]]>([
	['is forgotten once its hook is removed', reply(204), []],
	['is kept while its hook may still deliver', reply(403), ['a response']],
])('what ran of an unpublished workflow %s', async (_, answer, expected) => {
	clock = startClock({ standing: true });
	keepLogs(trigger);
	service.on('POST', '/hooks', reply(201, aHook()));
	service.always('DELETE', /./, answer);
	const stored = aWorkflow();
	await activate(stored);
	const memory = memoryOf(aTriggerContext(stored).context);
	addKnown(memory, ['a response']);
	await deactivate(stored);
	await clock.pass(9 * SECOND);
	// n8n may end it twice, which puts off nothing.
	await deactivate(stored);
	expect([...memory.known]).toEqual(['a response']);
	await clock.pass(2 * SECOND);
	expect(service.calls()).toEqual(['POST /hooks', `DELETE /hooks/${HOOK_ID}`]);
	expect([...memory.known]).toEqual(expected);
});

// At a publication n8n 1 shows of a NodeApiError its description alone, the service's hint.
test.each([
	['a publication', {}, NodeOperationError],
	['a test', { isTest: true }, NodeApiError],
])('who does %s without a form reads why', async (_, options, kind) => {
	service.on('POST', '/hooks', reply(404, anError('not_found', 'No', 'Choose another form')));
	const activating = activate(aWorkflow(), options);
	await expect(activating).rejects.toThrow(kind);
	await expect(activating).rejects.toThrow(/the form does not exist/);
});
