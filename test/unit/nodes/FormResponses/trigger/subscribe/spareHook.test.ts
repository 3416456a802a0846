import { startClock } from '../../../../kit/clock';
import { deactivate } from '../../../../kit/hookMethods';
import { keepLogs } from '../../../../kit/logs';
import type { Stored } from '../../../../kit/workflow';
import { idOf } from '../../../../kit/samples';
import { fakeService, type FakeService } from '../../../../kit/formService';
import { activated, changeHooksOf, stateIn, trigger } from '../trigger.fixture';

let service: FakeService;
let stored: Stored;

beforeEach(async () => {
	startClock({ standing: true });
	service = fakeService();
	stored = await activated(service);
});

const change = async (isDoubted = true) => await changeHooksOf(stored, isDoubted);

test('a spare is made beside the hook in doubt, and removed again; the log says so', async () => {
	const logs = keepLogs(trigger);
	expect([await change(), await change()]).toEqual(['spareMade', 'spareRemoved']);
	const spare = `DELETE /hooks/${idOf(2, 5)}`;
	expect(service.calls()).toEqual(['POST /hooks', 'POST /hooks', spare]);
	expect(stateIn(stored)?.hookId).toBe(idOf(1, 5));
	const line = (message: RegExp): unknown => expect.stringMatching(message);
	expect(logs).toEqual([
		{ level: 'info', message: line(/^"Forms" made a hook beside the one that it doubts/) },
		{ level: 'info', message: line(/^"Forms" removed the hook beside the one that it doubts/) },
	]);
});

test.each<[string, boolean, () => Promise<unknown>]>([
	['is no longer in doubt', false, async () => {}],
	['was unpublished', true, async () => await deactivate(stored)],
])('no spare is made when its turn comes beside a hook that %s', async (_, isDoubted, begin) => {
	await begin();
	const logs = keepLogs(trigger);
	expect(await change(isDoubted)).toBeUndefined();
	expect(service.calls()).toEqual(['POST /hooks']);
	expect(logs).toEqual([]);
});
