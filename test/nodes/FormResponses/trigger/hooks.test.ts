import {
	createReplacement,
	retryRemoval,
	open,
	tryToRemoveHook,
} from '../../../../nodes/FormResponses/trigger/hooks';
import type { TriggerState } from '../../../../nodes/FormResponses/trigger/state';
import type { Clock } from '../../../clock';
import { startClock } from '../../../clock';
import { keepLogs } from '../../../in-process/logs';
import { aTriggerContext } from '../../../in-process/trigger';
import { aHook, anError, FORM_ID, HOOK_ID, idOf } from '../../../samples';
import type { FakeService } from '../../../service';
import { BASE_URL, fakeService, refused } from '../../../service';
import { aWorkflow, trigger } from './trigger.fixture';

const TARGET = 'https://n8n.example.com/webhook/1/webhook?key=1';
const previous: TriggerState = {
	status: 'subscribed',
	hookId: idOf(1, 5),
	formId: FORM_ID,
	baseUrl: BASE_URL,
	webhookUrl: 'https://n8n.example.com/webhook/1/webhook',
	generation: 1,
	keys: [],
	baseline: [],
};
const tooMany = refused(400, anError('invalid_request', 'Too many'));

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
	keepLogs(trigger);
});

const { context } = aTriggerContext(aWorkflow());

const onRemoved = jest.fn();

const create = async (before?: TriggerState) => {
	const endsAt = clock.now() + 12_000;
	const target = { formId: FORM_ID, targetUrl: TARGET, endsAt };
	const api = await open(context, 'oAuth2', { endsAt });
	onRemoved.mockClear();
	return await createReplacement(context, api, before, target, onRemoved);
};

describe('making a hook in the place of another', () => {
	test('leaves the other one alone', async () => {
		service.on('POST', '/hooks', refused(201, aHook()));
		expect((await create(previous)).id).toBe(HOOK_ID);
		expect(service.calls()).toEqual(['POST /hooks']);
	});

	test('makes room in the allowance, once', async () => {
		service.on('POST', '/hooks', tooMany, tooMany);
		service.on('DELETE', `/hooks/${idOf(1, 5)}`, refused(204));
		await expect(create(previous)).rejects.toThrow(/Too many/);
		expect(onRemoved).toHaveBeenCalledTimes(1);
		expect(service.calls()).toEqual(['POST /hooks', `DELETE /hooks/${idOf(1, 5)}`, 'POST /hooks']);
	});

	test.each<[string, TriggerState | undefined]>([
		['there is none', undefined],
		['it was never made', { ...previous, hookId: undefined }],
	])('has no room to make where %s', async (_, before) => {
		service.on('POST', '/hooks', tooMany);
		await expect(create(before)).rejects.toThrow(/Too many/);
		expect(service.calls()).toEqual(['POST /hooks']);
	});

	test.each([400, 401, 403, 404, 500, 503])('%i removes nothing', async (status) => {
		fakeService('https://forms.example.com/oauth').on('POST', '/token', refused(400));
		service.on('POST', '/hooks', refused(status, anError('x', 'No')));
		await expect(create(previous)).rejects.toThrow();
		expect(onRemoved).not.toHaveBeenCalled();
		expect(service.calls()).toEqual(['POST /hooks']);
	});
});

describe('removing a hook', () => {
	test('of the same service under another path is asked for there', async () => {
		const before = fakeService('https://forms.example.com/api/v0');
		before.on('DELETE', `/hooks/${idOf(1, 5)}`, refused(204));
		const state = { ...previous, baseUrl: 'https://forms.example.com/api/v0' };
		expect(await tryToRemoveHook(context, state)).toBe(true);
		expect(before.calls()).toEqual([`DELETE /hooks/${idOf(1, 5)}`]);
	});

	test('is tried until it succeeds, at waits that grow to five minutes', async () => {
		clock = startClock({ standing: true });
		const refusal = refused(403, anError('insufficient_scope', 'No'));
		const at: number[] = [];
		service.always('DELETE', /./, () => {
			at.push(clock.elapsed() / 1_000);
			return at.length < 10 ? refusal : refused(204);
		});
		const removing = retryRemoval(context, previous, 3_600_000);
		await clock.pass(3_600_000);
		expect(await removing).toBe(true);
		expect(at).toEqual([5, 15, 35, 75, 155, 315, 615, 915, 1_215, 1_515]);
	});

	test('ends where nobody wants it any more', async () => {
		clock = startClock({ standing: true });
		const removing = retryRemoval(context, previous, 3_600_000, () => false);
		await clock.pass(10_000);
		expect(await removing).toBe(false);
		expect(service.sent).toEqual([]);
	});
});
