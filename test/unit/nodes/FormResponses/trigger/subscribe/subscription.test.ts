import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import nock from 'nock';
import { heldLimits, startClock, type Clock } from '../../../../kit/clock';
import { activate, callHook, deactivate } from '../../../../kit/hookMethods';
import { keepLogs } from '../../../../kit/logs';
import { aHook, anError, HOOK_ID } from '../../../../kit/samples';
import { fakeService, ORIGIN, reply, type FakeService } from '../../../../kit/formService';
import { nextTurn } from '../../../../kit/turn';
import { activated, aWorkflow, inAnotherProcess, stateIn, trigger } from '../trigger.fixture';

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
