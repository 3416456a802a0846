import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { keyIn } from '../../../../../nodes/FormResponses/trigger/state/key';
import { startClock, type Clock } from '../../../../clock';
import { SECRETS } from '../../../../in-process/credentials';
import { everythingIn } from '../../../../in-process/everything';
import { activate } from '../../../../in-process/hook';
import { keepLogs, warningsIn } from '../../../../in-process/logs';
import { queryOf } from '../../../../in-process/webhook';
import { aHook, anError, OTHER_FORM_ID } from '../../../../samples';
import { fakeService, fault, ok, refused, type FakeService, type Reply } from '../../../../service';
import { aWorkflow, serveHooks, stateIn, targetsOf, trigger } from '../trigger.fixture';

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

const byId = (value: string) => ({ formId: { __rl: true, mode: 'list', value } });
const polling = { authentication: 'apiKey' };
const made = (hook = {}) => refused(201, aHook(hook));
const invalid = (said: string) => refused(400, anError('invalid_request', said));
const ENOTFOUND = 'The target answered ENOTFOUND for that host';

test.each<[string, Reply, RegExp]>([
	['403', refused(403, anError('insufficient_scope', 'No')), /lacks the scope hooks:write/],
	['404', refused(404, anError('not_found', 'No such form')), /the form does not exist/],
	['500', refused(500, anError('internal_error', 'Broken')), /failed \(500\)\. The hook may/],
	['200 instead of 201', ok(aHook()), /the wrong status 200\. The hook may/],
	['another form', made({ formId: OTHER_FORM_ID }), /whose formId is not .* The hook may/],
	['201 without an id', made({ id: undefined }), /whose id is not as documented/],
	['allowance', invalid('Too many subscriptions'), /Too many subscriptions\. Unpublish/],
	['its own words', invalid(ENOTFOUND), new RegExp(ENOTFOUND)],
])('%s: is told, and the hook is asked for once', async (_, reply, message) => {
	service.on('POST', '/hooks', reply);
	await expect(activate(aWorkflow())).rejects.toThrow(message);
	expect(service.calls()).toEqual(['POST /hooks']);
});

test('a lost answer: another hook is made, so that the key that n8n stores is the younger one', async () => {
	const lost = fault('ECONNRESET');
	service.on('POST', '/hooks', lost, made());
	const stored = aWorkflow();
	await activate(stored);
	const [first, second] = targetsOf(service).map((url) => keyIn(queryOf(url))!.madeAt);
	expect(second).toBeGreaterThan(first);
	expect(stateIn(stored)).toMatchObject({ status: 'subscribed', keyMadeAt: second });
	service.on('POST', '/hooks', lost, lost);
	await expect(activate(aWorkflow())).rejects.toThrow(/broke off\. The hook may have been made/);
	expect(service.calls()).toHaveLength(4);
});

// At a publication n8n 1 shows of a NodeApiError its description alone, the service's hint.
test.each([
	['a publication', {}, NodeOperationError],
	['a test', { isTest: true }, NodeApiError],
])('is told so that n8n shows the message: %s', async (_, options, kind) => {
	const reply = refused(404, anError('not_found', 'No such form', 'Choose another form'));
	service.on('POST', '/hooks', reply);
	const activating = activate(aWorkflow(), options);
	await expect(activating).rejects.toThrow(kind);
	await expect(activating).rejects.toThrow(/the form does not exist/);
});

test.each<[string, IDataObject, RegExp]>([
	['no form', byId(''), /^The parameter "Form" is empty/],
	['a wrong form', byId('../me'), /^The parameter "Form" is "\.\.\/me"/],
	['no interval', { ...polling, pollInterval: 0 }, /^The parameter "Poll Interval" is 0\./],
])('%s: is told by name, and nothing is sent', async (_, parameters, message) => {
	await expect(activate(aWorkflow(parameters))).rejects.toThrow(message);
	expect(service.sent).toEqual([]);
});

test.each([
	['http://127.0.0.1:5678/webhook', true, /cannot reach this n8n at http:.*WEBHOOK_URL/],
	['n8n.example.org/webhook', true, /is not whole: n8n\.example\.org\. .*WEBHOOK_URL.*https:/],
	['http://192.168.1.5:5678/webhook', false, /may not reach this n8n at http:.*WEBHOOK_URL/],
])('n8n at %s, the service elsewhere: fails (%s), and names WEBHOOK_URL', async (...row) => {
	const [webhookBaseUrl, fails, message] = row;
	const logs = keepLogs(trigger);
	serveHooks(service);
	const activating = activate(aWorkflow({}, { webhookBaseUrl }));
	if (fails) await expect(activating).rejects.toThrow(message);
	else await activating;
	expect(service.calls()).toEqual(fails ? [] : ['POST /hooks']);
	expect(warningsIn(logs).map((said) => message.test(said))).toEqual(fails ? [] : [true]);
});

test('waits for a rate limit, but ends before n8n gives up', async () => {
	const limited = refused(429, anError('rate_limited', 'Slow'), { 'Retry-After': '5' });
	service.always('POST', '/hooks', limited);
	await expect(activate(aWorkflow())).rejects.toThrow(/limits requests/);
	expect(clock.elapsed()).toBeGreaterThanOrEqual(5_000);
	expect(clock.elapsed()).toBeLessThanOrEqual(20_000);
});

test('never shows a token or the key, also where the service does', async () => {
	const logs = keepLogs(trigger);
	service.always('POST', '/hooks', ({ authorization, body }) => {
		const said = `${authorization} ${JSON.stringify(body)}`;
		return refused(400, anError('invalid_request', said, String(authorization)));
	});
	const error: unknown = await activate(aWorkflow()).catch((thrown: unknown) => thrown);
	const [key] = targetsOf(service).map((url) => queryOf(url).key);
	const shown = `${everythingIn(error)} ${JSON.stringify(logs)}`;
	expect(shown).toContain('Could not subscribe to form');
	for (const secret of [...SECRETS, key.split('.')[1]]) expect(shown).not.toContain(secret);
});
