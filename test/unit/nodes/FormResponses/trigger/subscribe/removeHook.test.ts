import { startClock, type Clock } from '../../../../kit/clock';
import { activate, deactivate } from '../../../../kit/hookMethods';
import { keepLogs } from '../../../../kit/logs';
import type { Stored } from '../../../../kit/workflow';
import { aHook, anError, HOOK_ID, idOf } from '../../../../kit/samples';
import { fakeService, reply, type FakeService, type Reply } from '../../../../kit/formService';
import { aWorkflow, stateIn, trigger } from '../trigger.fixture';

const SECOND = 1_000;
const HOUR = 3_600_000;
const PATH = `/hooks/${HOOK_ID}`;

let clock: Clock;
let service: FakeService;
let stored: Stored;

beforeEach(async () => {
	clock = startClock({ standing: true });
	service = fakeService();
	service.on('POST', '/hooks', reply(201, aHook()), reply(201, aHook({ id: idOf(2, 5) })));
	stored = aWorkflow();
	await activate(stored);
});

test('a hook that cannot be removed at first is removed later, and the pause counts from the stop', async () => {
	const logs = keepLogs(trigger);
	const limited = reply(429, anError('rate_limited', 'Slow'), { 'Retry-After': '60' });
	service.on('DELETE', PATH, ...Array<Reply>(9).fill(limited), reply(204));
	const stoppedAt = clock.now();
	await deactivate(stored);
	await clock.pass(20 * SECOND);
	expect(stateIn(stored)).toMatchObject({ status: 'stopped', stoppedAt, hookId: HOOK_ID });
	await clock.pass(HOUR);
	expect(service.calls()).toEqual(['POST /hooks', ...Array<string>(10).fill(`DELETE ${PATH}`)]);
	expect(logs[0].message).toMatch(/^Hook .* could not be removed/);
});

test.each<[string, number, (stored: Stored) => Promise<unknown>]>([
	['unpublished', 10, deactivate],
	['published again', 0, activate],
])('the removal is tried for an hour, at waits of up to five minutes: %s', async (...row) => {
	const [, begin, leave] = row;
	keepLogs(trigger);
	const at: number[] = [];
	service.always('DELETE', PATH, () => {
		at.push(clock.elapsed() / SECOND);
		return reply(403, anError('insufficient_scope', 'No'));
	});
	await leave(stored);
	await clock.pass(3 * HOUR);
	const waits = [0, 5, 10, 20, 40, 80, 160, ...Array<number>(10).fill(300)];
	expect(at.map((time, n) => time - (at[n - 1] ?? begin))).toEqual(waits);
});
