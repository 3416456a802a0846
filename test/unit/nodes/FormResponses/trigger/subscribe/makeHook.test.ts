import { keyIn } from '../../../../../../nodes/FormResponses/trigger/state/hookKey';
import { startClock } from '../../../../kit/clock';
import { activate, callHook } from '../../../../kit/hookMethods';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import { queryOf } from '../../../../kit/delivery';
import { WEBHOOK_BASE_URL, WEBHOOK_ID } from '../../../../kit/workflow';
import { aHook, anError, FORM_ID, OTHER_FORM_ID } from '../../../../kit/samples';
import type { FakeService, Reply } from '../../../../kit/formService';
import { fakeService, fault, ok, reply } from '../../../../kit/formService';
import { aWorkflow, stateIn, targetsOf, trigger } from '../trigger.fixture';

let service: FakeService;

beforeEach(() => {
	startClock();
	service = fakeService();
});

const made = (hook = {}, headers = {}) => reply(201, aHook(hook), headers);
const refusedFor = (reason: string) => reply(400, anError('invalid_request', reason));
const noScope = reply(403, anError('insufficient_scope', 'No'));
const lost = fault('ECONNRESET');

test('a hook delivers to the URL of its node, with a secret key', async () => {
	service.on('POST', '/hooks', made());
	await activate(aWorkflow());
	expect(service.sent).toMatchObject([{ path: '/hooks', body: { formId: FORM_ID } }]);
	const [url, key] = targetsOf(service)[0].split('?key=');
	expect(url).toBe(`${WEBHOOK_BASE_URL}/${WEBHOOK_ID}/webhook`);
	expect(key).toMatch(/^\d{13}\.[\w-]{43}$/);
});

const ENOTFOUND = 'The target answered ENOTFOUND for that host';

test.each([
	['403', [noScope], /lacks the scope hooks:write/],
	['500', [reply(500, anError('internal_error', 'Broken'))], /failed \(500\)\. The hook may/],
	['200 instead of 201', [ok(aHook())], /the wrong status 200\. The hook may/],
	['another form', [made({ formId: OTHER_FORM_ID })], /whose formId is not .* The hook may/],
	['201 without an id', [made({ id: undefined })], /whose id is not as documented/],
	['the allowance', [refusedFor('Too many subscriptions')], /Too many subscriptions\. Unpublish/],
	['its own words', [refusedFor(ENOTFOUND)], new RegExp(ENOTFOUND)],
	['nothing, twice', [lost, lost], /broke off\. The hook may have been made/],
])('who publishes is told what the service answered: %s', async (_, replies, message) => {
	service.on('POST', '/hooks', ...replies);
	await expect(activate(aWorkflow())).rejects.toThrow(message);
	expect(service.calls()).toEqual(replies.map(() => 'POST /hooks'));
});

test('an earlier hook that made room in vain is known no more, and is not removed again', async () => {
	const clock = startClock({ standing: true });
	const stored = aWorkflow();
	service.on('POST', '/hooks', made(), refusedFor('Too many subscriptions'), noScope);
	service.always('DELETE', /^\/hooks\//, reply(204));
	await activate(stored);
	stored.parameters.formId = { __rl: true, mode: 'list', value: OTHER_FORM_ID };
	await expect(callHook(stored, 'create')).rejects.toThrow(/hooks:write/);
	await clock.pass(60_000);
	expect(service.calls().filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
	expect(stateIn(stored)?.hookId).toBeUndefined();
});

const atStart = { activation: 'init' as const };

test.each<[string, Reply[], object]>([
	['the second one after a lost answer', [lost, made()], {}],
	['the second one after two lost answers, at a start of n8n', [lost, lost], atStart],
	['the one whose answer cannot be read, at a start of n8n', [reply(201, {})], atStart],
])('the hook that may deliver is %s', async (_, replies, options) => {
	const logs = keepLogs(trigger);
	service.on('POST', '/hooks', ...replies);
	const stored = aWorkflow();
	await activate(stored, options);
	const keys = targetsOf(service).map((url) => keyIn(queryOf(url))!.madeAt);
	expect(keys).toEqual([...new Set(keys)].sort());
	expect(keys).toHaveLength(replies.length);
	expect(stateIn(stored)).toMatchObject({ status: 'subscribed', keyMadeAt: keys.pop() });
	const warning: unknown = expect.stringContaining('The hook may have been made');
	expect(warningsIn(logs)).toEqual(options === atStart ? [warning] : []);
});

test('responses count from the answer on where the service dates its hook later', async () => {
	const late = { createdAt: '2099-01-01T00:00:00.000Z' };
	service.on('POST', '/hooks', made(late, { date: 'Sun, 01 Mar 2026 12:00:00 GMT' }));
	const stored = aWorkflow();
	await activate(stored);
	expect(stateIn(stored)?.since).toBe('2026-03-01T12:00:00.000Z');
});
