import { eventually, startClock } from '../../../clock';
import { activate, deactivate } from '../../../in-process/hook';
import { keepLogs } from '../../../in-process/logs';
import { aHook, anError, HOOK_ID, idOf } from '../../../samples';
import type { FakeService, Reply } from '../../../service';
import { fakeService, fault, refused } from '../../../service';
import { activated, aWorkflow, stateIn, targetsOf, trigger } from './trigger.fixture';

let service: FakeService;

beforeEach(() => {
	startClock();
	service = fakeService();
});

const HOUR = 3_600_000;

const made = (hook = {}) => refused(201, aHook(hook));

describe('deactivation', () => {
	test.each([
		['204', refused(204)],
		['404', refused(404, anError('not_found', 'No such hook'))],
	])('%s is a success', async (_, reply) => {
		service.on('POST', '/hooks', made());
		service.on('DELETE', `/hooks/${HOOK_ID}`, reply);
		const stored = aWorkflow();
		await activate(stored);
		await deactivate(stored);
		expect(stateIn(stored)?.hookId).toBeUndefined();
	});

	test.each<[string, Reply]>([
		['429', refused(429, anError('rate_limited', 'Slow'), { 'Retry-After': '60' })],
		['500', refused(500)],
		['ECONNREFUSED', fault('ECONNREFUSED')],
	])('%s: the pause counts from now, and the hook is removed later', async (_, reply) => {
		const clock = startClock({ standing: true });
		const logs = keepLogs(trigger);
		service.on('POST', '/hooks', made(), made({ id: idOf(2, 5) }));
		service.on('DELETE', `/hooks/${HOOK_ID}`, ...Array<Reply>(9).fill(reply), refused(204));
		const stored = aWorkflow();
		await activate(stored);
		const stoppedAt = clock.now();
		const stopping = deactivate(stored);
		await clock.pass(20_000);
		await stopping;
		expect(stateIn(stored)).toMatchObject({ status: 'stopped', stoppedAt, hookId: HOOK_ID });
		await clock.pass(HOUR);
		expect(service.calls().filter((call) => call.startsWith('DELETE'))).toHaveLength(10);
		expect(logs.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/^Hook .* could not be removed/),
		);
		// What this process knows goes before what n8n has stored.
		await activate(stored);
		expect(service.calls().slice(-1)).toEqual(['POST /hooks']);
	});

	test('of a service that stays away goes on for an hour, and not longer', async () => {
		const clock = startClock({ standing: true });
		keepLogs(trigger);
		service.on('POST', '/hooks', made());
		const at: number[] = [];
		service.always('DELETE', `/hooks/${HOOK_ID}`, () => {
			at.push(clock.elapsed());
			return refused(403, anError('insufficient_scope', 'No'));
		});
		const stored = aWorkflow();
		await activate(stored);
		await deactivate(stored);
		await clock.pass(3 * HOUR);
		const last = at[at.length - 1];
		expect(last).toBeGreaterThan(0.9 * HOUR);
		expect(last).toBeLessThanOrEqual(HOUR);
		const gaps = at.slice(1).map((ms, n) => ms - at[n]);
		expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
		expect(at.length).toBeLessThan(25);
	});

	test('that succeeds while the workflow is published again leaves the new hook alone', async () => {
		const clock = startClock({ standing: true });
		keepLogs(trigger);
		const later = refused(429, anError('rate_limited', 'Slow'), { 'retry-after': '7' });
		service.on('POST', '/hooks', made(), later, made({ id: idOf(2, 5) }));
		const broken = refused(403, anError('insufficient_scope', 'No'));
		service.on('DELETE', /^\/hooks\//, broken, refused(204), refused(204), refused(204));
		const stored = aWorkflow();
		await activate(stored);
		await deactivate(stored);
		const publishing = activate(stored);
		await clock.pass(20_000);
		await publishing;
		expect(stateIn(stored)).toMatchObject({ status: 'subscribed', hookId: idOf(2, 5) });
		expect(service.calls()).not.toContain(`DELETE /hooks/${idOf(2, 5)}`);
	});

	test('is given up where the workflow is published again meanwhile', async () => {
		const clock = startClock({ standing: true });
		keepLogs(trigger);
		service.on('POST', '/hooks', made(), made({ id: idOf(2, 5) }));
		const broken = refused(403, anError('insufficient_scope', 'No'));
		service.on('DELETE', `/hooks/${HOOK_ID}`, broken, refused(204));
		const stored = aWorkflow();
		await activate(stored);
		await deactivate(stored);
		await activate(stored);
		await clock.pass(2 * HOUR);
		const both = ['POST /hooks', `DELETE /hooks/${HOOK_ID}`];
		expect(service.calls()).toEqual([...both, ...both]);
		expect(stateIn(stored)).toMatchObject({ status: 'subscribed', hookId: idOf(2, 5) });
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

		await deactivate(test, { isTest: true });
		await eventually(() => expect(service.calls()).toContain(`DELETE /hooks/${idOf(2, 5)}`));
		expect(service.calls()).not.toContain(`DELETE /hooks/${idOf(1, 5)}`);
	});

	test('its hook is removed whatever happens, and removing never fails', async () => {
		service.on('POST', '/hooks', made());
		const broken = refused(500);
		service.on('DELETE', `/hooks/${HOOK_ID}`, ...Array<Reply>(6).fill(broken), refused(204));
		const test = aWorkflow();
		await activate(test, { isTest: true });
		await deactivate(test, { isTest: true });
		const removals = () => service.calls().filter((call) => call.startsWith('DELETE')).length;
		await eventually(() => expect(removals()).toBe(7));
	});
});
