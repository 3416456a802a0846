import { renew } from '../../../../../nodes/FormResponses/trigger/subscribe/renewal';
import { subscriptionOf } from '../../../../../nodes/FormResponses/trigger/state/storedState';
import { tokenIn } from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import type { Clock } from '../../../../clock';
import { startClock } from '../../../../clock';
import { activate, deactivate } from '../../../../in-process/hook';
import { aTriggerContext } from '../../../../in-process/trigger';
import { deliver, queryOf } from '../../../../in-process/webhook';
import type { Stored } from '../../../../in-process/workflow';
import { anError, aHook, aResponse, idOf } from '../../../../samples';
import type { FakeService, Reply } from '../../../../service';
import { fakeService, refused } from '../../../../service';
import { activated, aWorkflow, inAnotherProcess, targetsOf } from '../trigger.fixture';

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

const renewed = async (stored: Stored) => await renew(aTriggerContext(stored).context);
const known = (stored: Stored) => subscriptionOf(aTriggerContext(stored).context);

const made = refused(201, aHook());
const failed = refused(500);
const full = refused(400, anError('invalid_request', 'Too many'));

let deliveries = 0;

const isAccepted = async (stored: Stored, target: string) => {
	const responseId = idOf(++deliveries, 2);
	const response = aResponse({ responseId, completedAt: '2026-03-01T12:00:01.000Z' });
	const { status, run } = await deliver(stored, { body: response, query: queryOf(target) });
	return status === 200 && run !== undefined;
};

/** The first hook is made; with an answer to a start, the next process of n8n made no other. */
test.each<[string, Reply[], Reply[], boolean]>([
	['after a success', [], [made, made], true],
	['after a start that failed', [failed], [made], true],
	['after a failure, as the service may have made it', [], [failed, failed], false],
])(
	'sends another key each time, also where the clock is set back, and accepts what it sent: %s',
	async (_, start, replies, isMade) => {
		service.on('POST', '/hooks', made, ...start, ...replies);
		let stored = aWorkflow();
		await activate(stored);
		if (start.length > 0) {
			stored = { ...aWorkflow(), staticData: stored.staticData };
			await activate(stored, { activation: 'init' });
		}
		const before = JSON.stringify(stored.staticData);
		for (const reply of replies) {
			clock.step(-3_600_000);
			if (reply === made) expect(await renewed(stored)).toBe(true);
			else await expect(renewed(stored)).rejects.toThrow();
		}
		expect(JSON.stringify(stored.staticData)).toBe(before);
		const targets = targetsOf(service);
		const generations = targets.map((target) => tokenIn(queryOf(target))!.generation);
		expect(generations).toEqual([...new Set(generations)].sort());
		expect(known(stored)!.isMade).toBe(isMade);
		expect(service.calls().filter((call) => call !== 'POST /hooks')).toEqual([]);
		// A hook that was made replaces those before.
		for (const target of isMade ? targets.slice(-1) : targets) {
			expect(await isAccepted(stored, target)).toBe(true);
		}
		expect(await isAccepted(inAnotherProcess(stored), targets[targets.length - 1])).toBe(true);
	},
);

test('knows that no hook is left where it made room for one that then failed', async () => {
	service.on('POST', '/hooks', made, full, failed);
	service.on('DELETE', /./, refused(204));
	const stored = aWorkflow();
	await activate(stored);
	await expect(renewed(stored)).rejects.toThrow();
	expect(known(stored)).toMatchObject({ isHookLost: true });
});

test('of what was unpublished asks nobody', async () => {
	const stored = await activated(service);
	await deactivate(stored);
	service.sent.splice(0);
	expect(await renewed(stored)).toBe(false);
	expect(await renewed(aWorkflow())).toBe(false);
	expect(service.sent).toEqual([]);
});

test('that the workflow is unpublished during leaves no hook', async () => {
	const stored = await activated(service);
	const renewing = renewed(stored);
	await deactivate(stored);
	expect(await renewing).toBe(false);
	expect(service.calls()).toEqual(['POST /hooks', `DELETE /hooks/${idOf(1, 5)}`]);
	expect(known(stored)?.state?.status).toBe('stopped');
});
