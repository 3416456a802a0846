import type { Clock } from '../../../../clock';
import { eventually, startClock } from '../../../../clock';
import { activate, deactivate } from '../../../../in-process/hook';
import { keepLogs } from '../../../../in-process/logs';
import { deliver, queryOf } from '../../../../in-process/webhook';
import type { Stored } from '../../../../in-process/workflow';
import { aHook, anError, aResponse, HOOK_ID, idOf } from '../../../../samples';
import type { FakeService, Reply } from '../../../../service';
import { fakeService, fault, refused } from '../../../../service';
import { activated, aWorkflow, pushed, stateIn, targetsOf, trigger } from '../trigger.fixture';

const HOUR = 3_600_000;
const made = (hook = {}) => refused(201, aHook(hook));
const forbidden = refused(403, anError('insufficient_scope', 'No'));
const limited = (seconds: string) =>
	refused(429, anError('rate_limited', 'Slow'), { 'Retry-After': seconds });

let clock: Clock;
let logs: ReturnType<typeof keepLogs>;
let service: FakeService;
let stored: Stored;

beforeEach(() => {
	clock = startClock({ standing: true });
	logs = keepLogs(trigger);
	service = fakeService();
	stored = aWorkflow();
});

const removals = () => service.calls().filter((call) => call.startsWith('DELETE'));

describe('deactivation', () => {
	beforeEach(async () => {
		service.on('POST', '/hooks', made());
		await activate(stored);
	});

	test.each<[string, Reply]>([
		['429', limited('60')],
		['500', refused(500)],
		['ECONNREFUSED', fault('ECONNREFUSED')],
	])('%s: the pause counts from now, and the hook is removed later', async (_, reply) => {
		service.on('DELETE', `/hooks/${HOOK_ID}`, ...Array<Reply>(9).fill(reply), refused(204));
		const stoppedAt = clock.now();
		const stopping = deactivate(stored);
		await clock.pass(20_000);
		await stopping;
		expect(stateIn(stored)).toMatchObject({ status: 'stopped', stoppedAt, hookId: HOOK_ID });
		await clock.pass(HOUR);
		expect(removals()).toHaveLength(10);
		expect(logs.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/^Hook .* could not be removed/),
		);
	});

	test.each(['deactivation', 'publication'])(
		'is tried for an hour, at waits that grow to five minutes: after a %s',
		async (cause) => {
			const at: number[] = [];
			service.always('DELETE', `/hooks/${HOOK_ID}`, () => {
				at.push(clock.elapsed() / 1_000);
				return forbidden;
			});
			service.on('POST', '/hooks', made({ id: idOf(2, 5) }));
			await (cause === 'publication' ? activate : deactivate)(stored);
			await clock.pass(3 * HOUR);
			const growing = [0, 5, 15, 35, 75, 155, 315];
			expect(at).toEqual([...growing, ...Array.from({ length: 10 }, (_, n) => 615 + n * 300)]);
		},
	);

	test('that succeeds while the workflow is published again leaves the new hook alone', async () => {
		service.on('POST', '/hooks', limited('7'), made({ id: idOf(2, 5) }));
		service.on('DELETE', /^\/hooks\//, forbidden, refused(204), refused(204), refused(204));
		await deactivate(stored);
		const publishing = activate(stored);
		await clock.pass(20_000);
		await publishing;
		expect(stateIn(stored)).toMatchObject({ status: 'subscribed', hookId: idOf(2, 5) });
		expect(service.calls()).not.toContain(`DELETE /hooks/${idOf(2, 5)}`);
	});
});

describe('a test listener', () => {
	test('has a hook and a state of its own', async () => {
		const production = await activated(service);
		const before = JSON.stringify(production.staticData);
		const test = { ...production, staticData: {} };
		await activate(test, { isTest: true });
		expect(targetsOf(service)[1]).toMatch(/^https:\/\/n8n\.example\.com\/webhook-test\//);
		expect(service.calls()).toEqual(['POST /hooks', 'POST /hooks']);
		expect(JSON.stringify(production.staticData)).toBe(before);

		const delivery = { body: aResponse(), query: queryOf(targetsOf(service)[1]) };
		const { status, run } = await deliver(test, { ...delivery, isTest: true });
		expect([status, run]).toEqual([200, pushed(aResponse())]);
		expect((await deliver(production, delivery)).run).toBeUndefined();

		await deactivate(test, { isTest: true });
		await eventually(() => expect(removals()).toEqual([`DELETE /hooks/${idOf(2, 5)}`]));
	});

	test('its hook is removed whatever happens, and removing never fails', async () => {
		service.on('POST', '/hooks', made());
		service.on('DELETE', `/hooks/${HOOK_ID}`, ...Array<Reply>(4).fill(forbidden), refused(204));
		await activate(stored, { isTest: true });
		await deactivate(stored, { isTest: true });
		await clock.pass(HOUR);
		expect(removals()).toHaveLength(5);
	});
});
