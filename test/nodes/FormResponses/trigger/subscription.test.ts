import type { IDataObject } from 'n8n-workflow';
import type { Clock } from '../../../clock';
import { eventually, startClock } from '../../../clock';
import { tokenIn } from '../../../../nodes/FormResponses/trigger/deliveryToken';
import { activate, callHook } from '../../../in-process/hook';
import { keepLogs } from '../../../in-process/logs';
import { deliver, queryOf } from '../../../in-process/webhook';
import { WEBHOOK_BASE_URL, WEBHOOK_ID } from '../../../in-process/workflow';
import { aHook, anError, aResponse, FORM_ID, idOf } from '../../../samples';
import type { FakeService } from '../../../service';
import { BASE_URL, fakeService, refused } from '../../../service';
import {
	activated,
	aWorkflow,
	pushed,
	serveHooks,
	stateIn,
	targetsOf,
	trigger,
} from './trigger.fixture';

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

const made = (hook = {}) => refused(201, aHook(hook));

describe('activation', () => {
	test('subscribes the node’s own URL with a secret key', async () => {
		await activated(service);
		expect(service.calls()).toEqual(['POST /hooks']);
		const { formId } = service.sent[0].body as IDataObject;
		expect(formId).toBe(FORM_ID);
		expect(targetsOf(service)[0]).toMatch(
			new RegExp(`^${WEBHOOK_BASE_URL}/${WEBHOOK_ID}/webhook\\?key=\\d{13}\\.[\\w-]{43}$`),
		);
	});

	test('stores what it takes to deliver, to recover and to unsubscribe', async () => {
		const stored = await activated(service);
		expect(stateIn(stored)).toMatchObject({
			status: 'subscribed',
			hookId: idOf(1, 5),
			formId: FORM_ID,
			baseUrl: BASE_URL,
			webhookUrl: targetsOf(service)[0].split('?')[0],
			generation: clock.now(),
			since: '2026-03-01T12:00:00.000Z',
			baseline: [],
		});
		const { token } = tokenIn(queryOf(targetsOf(service)[0]))!;
		expect(JSON.stringify(stored.staticData)).not.toContain(token);
	});

	test('counts responses from the service’s own clock', async () => {
		serveHooks(service, () => '2026-03-01T09:30:00.000Z');
		const stored = aWorkflow();
		await activate(stored);
		expect(stateIn(stored)?.since).toBe('2026-03-01T09:30:00.000Z');
	});

	test('never trusts a stored id: n8n subscribes anew at each start', async () => {
		const stored = await activated(service);
		expect(await callHook(stored, 'checkExists')).toBe(false);
	});

	test('a delivery that comes before anything is stored is known already', async () => {
		serveHooks(service);
		const stored = aWorkflow();
		const before = { ...stored };
		await activate(stored);
		const query = queryOf(targetsOf(service)[0]);
		const { status, run } = await deliver(before, { body: aResponse(), query });
		expect([status, run]).toEqual([200, pushed(aResponse())]);
	});

	test('the old hook is removed later, where it could not be at once', async () => {
		keepLogs(trigger);
		service.on('POST', '/hooks', made({ id: idOf(1, 5) }), made({ id: idOf(2, 5) }));
		const broken = refused(403, anError('insufficient_scope', 'No'));
		service.on('DELETE', `/hooks/${idOf(1, 5)}`, broken, broken, refused(204));
		const stored = aWorkflow();
		await activate(stored);
		await activate(stored);
		await eventually(() => expect(service.sent).toHaveLength(5));
		await clock.pass(3_600_000);
		expect(service.sent).toHaveLength(5);
	});
});

describe('a workflow that is unpublished while the service makes its hook', () => {
	test.each([
		['for the first time', false],
		['once more', true],
	])('%s: is left without a hook', async (_, wasPublished) => {
		const logs = keepLogs(trigger);
		const stored = aWorkflow();
		if (wasPublished) {
			service.on('POST', '/hooks', made({ id: idOf(1, 5) }));
			await activate(stored);
		}
		const stopping: Array<Promise<unknown>> = [];
		service.always('DELETE', /./, refused(204));
		service.always('POST', '/hooks', () => {
			stopping.push(callHook(stored, 'delete'));
			return made({ id: idOf(2, 5) });
		});
		await callHook(stored, 'create').catch(() => {});
		await Promise.all(stopping);
		expect(service.calls()).toContain(`DELETE /hooks/${idOf(2, 5)}`);
		expect(JSON.stringify(logs)).toContain('was unpublished while the trigger subscribed');
	});
});

describe('the subscription allowance', () => {
	const tooMany = refused(400, anError('invalid_request', 'Too many subscriptions'));

	test.each([
		"The subscription's target URL is invalid",
		'The target URL exceeds the limit of 2,000 characters',
		'Subscriptions need a public target URL',
	])('is not what a refusal of another reason is about: "%s" removes no hook', async (message) => {
		keepLogs(trigger);
		const other = refused(400, anError('invalid_request', message, 'See the limits of hooks'));
		service.on('POST', '/hooks', made({ id: idOf(1, 5) }), other);
		const stored = aWorkflow();
		await activate(stored);
		await activate(stored, { activation: 'init' });
		expect(service.calls()).toEqual(['POST /hooks', 'POST /hooks']);
		expect(stateIn(stored)?.hookId).toBe(idOf(1, 5));
	});

	test('that stays used up costs no renewal: it is tried again', async () => {
		keepLogs(trigger);
		service.on('POST', '/hooks', made({ id: idOf(1, 5) }), tooMany, tooMany);
		service.on('DELETE', `/hooks/${idOf(1, 5)}`, refused(204));
		const stored = aWorkflow();
		await activate(stored);
		await activate(stored, { activation: 'init' });
		expect(stateIn(stored)?.status).toBe('subscribed');
	});

	test('that is used up by others is told with the way out', async () => {
		service.on('POST', '/hooks', tooMany);
		await expect(activate(aWorkflow())).rejects.toThrow(/Too many subscriptions\. Unpublish/);
		expect(service.calls()).toEqual(['POST /hooks']);
	});
});
