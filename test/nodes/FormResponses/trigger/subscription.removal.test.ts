import { eventually, startClock } from '../../../clock';
import { credentialValues } from '../../../n8n/credentials';
import { activate, deactivate } from '../../../n8n/hook';
import { aHook, anError, HOOK_ID, idOf, OTHER_FORM_ID } from '../../../samples';
import type { FakeService, Reply } from '../../../service';
import { fakeService, fault, refused } from '../../../service';
import { activated, aWorkflow, stateIn, targetsOf } from './trigger.fixture';

let service: FakeService;

beforeEach(() => {
	startClock();
	service = fakeService();
});

const byId = (value: string) => ({ formId: { __rl: true, mode: 'list', value } });

const made = (hook = {}) => refused(201, aHook(hook));

describe('deactivation', () => {
	test('removes the stored hook, whatever the parameters say now', async () => {
		const stored = await activated(service);
		await deactivate({ ...stored, parameters: byId(OTHER_FORM_ID) });
		expect(service.calls()).toEqual(['POST /hooks', `DELETE /hooks/${idOf(1, 5)}`]);
	});

	test('with nothing stored is a success, and asks nobody', async () => {
		await deactivate(aWorkflow());
		expect(service.sent).toEqual([]);
	});

	test('a second time asks nobody', async () => {
		const stored = await activated(service);
		await deactivate(stored);
		await deactivate(stored);
		expect(service.calls()).toEqual(['POST /hooks', `DELETE /hooks/${idOf(1, 5)}`]);
	});

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
	])('%s: throws, so that n8n tries again, and keeps what it takes', async (_, reply) => {
		service.on('POST', '/hooks', made());
		service.on('DELETE', `/hooks/${HOOK_ID}`, reply, reply, reply, reply, refused(204));
		const stored = aWorkflow();
		await activate(stored);
		await expect(deactivate(stored)).rejects.toThrow(/^Could not remove hook/);
		expect(stateIn(stored)?.hookId).toBe(HOOK_ID);
		for (let tries = 0; tries < 4 && stateIn(stored)?.hookId; tries++) {
			await deactivate(stored).catch(() => {});
		}
		expect(stateIn(stored)?.hookId).toBeUndefined();
	});

	test('does not send the token to where the credential no longer points', async () => {
		const stored = await activated(service);
		const elsewhere = fakeService('https://elsewhere.example.org/api/v1');
		elsewhere.always('DELETE', /./, refused(204));
		stored.credentials = credentialValues({}, { baseUrl: 'https://elsewhere.example.org/api/v1' });
		await deactivate(stored);
		expect(service.calls()).toEqual(['POST /hooks']);
		expect(elsewhere.sent).toEqual([]);
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
