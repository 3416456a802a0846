import { renew } from '../../../../nodes/FormResponses/trigger/renewal';
import { subscriptionOf } from '../../../../nodes/FormResponses/trigger/storedState';
import { tokenIn } from '../../../../nodes/FormResponses/trigger/deliveryToken';
import { startClock } from '../../../clock';
import { SECRETS } from '../../../in-process/credentials';
import { everythingIn } from '../../../in-process/everything';
import { activate, deactivate } from '../../../in-process/hook';
import { keepLogs } from '../../../in-process/logs';
import { aTriggerContext } from '../../../in-process/trigger';
import { deliver, queryOf } from '../../../in-process/webhook';
import type { Stored } from '../../../in-process/workflow';
import { anError, aHook, aResponse, idOf } from '../../../samples';
import type { FakeService, Reply } from '../../../service';
import { fakeService, refused } from '../../../service';
import {
	activated,
	aWorkflow,
	inAnotherProcess,
	serveHooks,
	stateIn,
	targetsOf,
	trigger,
} from './trigger.fixture';

let service: FakeService;

beforeEach(() => {
	startClock();
	service = fakeService();
});

const contextOf = (stored: Stored) => aTriggerContext(stored).context;

/** The same subscription in the next process, where the start could not renew it. */
async function notMadeHere(made: Stored, ...replies: Reply[]): Promise<Stored> {
	const stored = { ...aWorkflow(), staticData: made.staticData };
	service.on('POST', '/hooks', ...replies);
	await activate(stored, { activation: 'init' });
	return stored;
}

const generationIn = (target: string) => tokenIn(queryOf(target))!.generation;

let deliveries = 0;

const isAccepted = async (stored: Stored, target: string) => {
	const responseId = idOf(++deliveries, 2);
	const response = aResponse({ responseId, completedAt: '2026-03-01T12:00:01.000Z' });
	const { status, run } = await deliver(stored, { body: response, query: queryOf(target) });
	return status === 200 && run !== undefined;
};

test('makes the hook anew for the same URL, and then removes the one before', async () => {
	const stored = await activated(service);
	const before = JSON.stringify(stored.staticData);
	expect(await renew(contextOf(stored))).toBe(true);
	expect(service.calls()).toEqual(['POST /hooks', 'POST /hooks', `DELETE /hooks/${idOf(1, 5)}`]);
	const [first, second] = targetsOf(service);
	expect(second).toBe(first);
	expect(await isAccepted(stored, first)).toBe(true);
	expect(JSON.stringify(stored.staticData)).toBe(before);
	expect(subscriptionOf(contextOf(stored))?.state).toEqual({
		...stateIn(stored),
		hookId: idOf(2, 5),
	});
});

test('takes a new key where it does not know the token, and accepts both', async () => {
	service.on('POST', '/hooks', refused(201, aHook()));
	const made = aWorkflow();
	await activate(made);
	const stored = await notMadeHere(made, refused(503));
	serveHooks(service);
	expect(await renew(contextOf(stored))).toBe(true);
	const [first, lost, third] = targetsOf(service);
	expect(generationIn(lost)).toBeGreaterThan(generationIn(first));
	expect(generationIn(third)).toBeGreaterThan(generationIn(lost));
	expect(await isAccepted(stored, third)).toBe(true);
});

test('sends the key of a refused start again, which is stored', async () => {
	service.on('POST', '/hooks', refused(201, aHook()));
	const made = aWorkflow();
	await activate(made);
	const stored = await notMadeHere(made, refused(404, anError('not_found', 'Gone')));
	serveHooks(service);
	expect(await renew(contextOf(stored))).toBe(true);
	const [, refusedTarget, target] = targetsOf(service);
	expect(target).toBe(refusedTarget);
	expect(await isAccepted(inAnotherProcess(stored), target)).toBe(true);
	expect(subscriptionOf(contextOf(stored))).toMatchObject({ targetUrl: target });
	expect(subscriptionOf(contextOf(stored))?.isRenewalDue).toBeUndefined();
});

test('without a credential asks nobody', async () => {
	const stored = await activated(service);
	service.sent.splice(0);
	stored.credentials = { formResponsesOAuth2Api: { baseUrl: '' } };
	await expect(renew(contextOf(stored))).rejects.toThrow();
	expect(service.sent).toEqual([]);
});

test('keeps its key before it is sent, should the answer be lost', async () => {
	service.on('POST', '/hooks', refused(201, aHook()));
	const stored = aWorkflow();
	await activate(stored);
	const other = await notMadeHere(stored, refused(500), refused(500));
	await expect(renew(contextOf(other))).rejects.toThrow();
	const targets = targetsOf(service);
	expect(new Set(targets).size).toBe(3);
	for (const target of targets) expect(await isAccepted(other, target)).toBe(true);
	expect(subscriptionOf(contextOf(other))?.isRenewalDue).toBe(true);
});

const failingAt = async (stored: Stored, status: number) => {
	service.on('POST', '/hooks', refused(201, aHook()), refused(status), refused(status));
	await activate(stored);
	const renewing = () => renew(contextOf(stored));
	await expect(renewing()).rejects.toThrow();
	await expect(renewing()).rejects.toThrow();
	return targetsOf(service);
};

test('takes another key after a fault: the service may have made the hook', async () => {
	const [first, second, third] = await failingAt(aWorkflow(), 500);
	expect(second).toBe(first);
	expect(third).not.toBe(second);
});

test('takes the same key again after a refusal', async () => {
	const [first, ...others] = await failingAt(aWorkflow(), 400);
	expect(others).toEqual([first, first]);
});

test('knows that no hook is left where it made room for one that then failed', async () => {
	const full = refused(400, anError('invalid_request', 'Too many'));
	service.on('POST', '/hooks', refused(201, aHook()), full, refused(500));
	service.on('DELETE', /./, refused(204));
	const stored = aWorkflow();
	await activate(stored);
	await expect(renew(contextOf(stored))).rejects.toThrow();
	expect(subscriptionOf(contextOf(stored))).toMatchObject({ isHookLost: true });
});

test('removes nothing where the service gives the hook that there is', async () => {
	const stored = aWorkflow();
	service.always('POST', '/hooks', refused(201, aHook()));
	service.always('DELETE', /./, refused(204));
	await activate(stored);
	expect(await renew(contextOf(stored))).toBe(true);
	expect(service.calls()).toEqual(['POST /hooks', 'POST /hooks']);
});

test('of what was unpublished asks nobody', async () => {
	const stored = await activated(service);
	await deactivate(stored);
	service.sent.splice(0);
	expect(await renew(contextOf(stored))).toBe(false);
	expect(await renew(contextOf(aWorkflow()))).toBe(false);
	expect(service.sent).toEqual([]);
});

test('that the workflow is unpublished during leaves no hook', async () => {
	const stored = await activated(service);
	const renewing = renew(contextOf(stored));
	await deactivate(stored);
	expect(await renewing).toBe(false);
	expect(service.calls()).toEqual(['POST /hooks', `DELETE /hooks/${idOf(1, 5)}`]);
	expect(subscriptionOf(contextOf(stored))?.state?.status).toBe('stopped');
});

test('that ends after the workflow was unpublished removes its hook', async () => {
	let deactivating: Promise<unknown> | undefined;
	const stored = aWorkflow();
	serveHooks(service, () => {
		if (targetsOf(service).length === 2) deactivating = deactivate(stored);
		return '2026-03-01T12:00:00.000Z';
	});
	await activate(stored);
	expect(await renew(contextOf(stored))).toBe(false);
	await deactivating;
	const removed = service.calls().filter((call) => call.startsWith('DELETE'));
	expect(removed.map((call) => Number(call.slice(-12))).sort()).toEqual([1, 2]);
	expect(subscriptionOf(contextOf(stored))?.state?.status).toBe('stopped');
});

test('never shows a token', async () => {
	const logs = keepLogs(trigger);
	service.on('POST', '/hooks', refused(201, aHook()));
	service.always('POST', '/hooks', ({ authorization, body }) =>
		refused(400, anError('invalid_request', `${authorization} ${JSON.stringify(body)}`)),
	);
	service.always('DELETE', /./, refused(204));
	const stored = aWorkflow();
	await activate(stored);
	const error: unknown = await renew(contextOf(stored)).catch((thrown: unknown) => thrown);
	const shown = `${everythingIn(error)} ${JSON.stringify(logs)}`;
	expect(shown).toContain('Could not subscribe');
	const tokens = targetsOf(service).map((url) => tokenIn(queryOf(url))!.token);
	for (const secret of [...SECRETS, ...tokens]) expect(shown).not.toContain(secret);
});
