import type { Hook } from '../../../../../../nodes/FormResponses/transport/types';
import { memoryOf } from '../../../../../../nodes/FormResponses/trigger/state/memory';
import { productionState } from '../../../../../../nodes/FormResponses/trigger/state/storedState';
import { eventually, startClock, type Clock } from '../../../../kit/clock';
import { activate, callHook, deactivate } from '../../../../kit/hookMethods';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import { aTriggerContext } from '../../../../kit/trigger';
import { deliver, queryOf } from '../../../../kit/delivery';
import { WEBHOOK_ID } from '../../../../kit/workflow';
import { anError, FORM_ID, idOf, responsesOf } from '../../../../kit/samples';
import type { FakeService, Reply } from '../../../../kit/formService';
import { fakeService, fault, ok, reply } from '../../../../kit/formService';
import {
	aWorkflow,
	activated,
	changeHooksOf,
	currentQuery,
	pushed,
	targetsOf,
	trigger,
} from '../trigger.fixture';

const TEST_URL = 'https://n8n.example.com/webhook-test';
const PATH = `/${WEBHOOK_ID}/webhook`;
const LIST = `/forms/${FORM_ID}/responses`;
const [latest] = responsesOf(1);
const byKey = { authentication: 'apiKey' };
const byToken = { testWith: 'latest' };
const notRegistered = reply(404, {
	code: 404,
	message: `The requested webhook "POST ${WEBHOOK_ID}/webhook" is not registered.`,
});

let clock: Clock;
let service: FakeService;
let listener: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
	listener = fakeService(TEST_URL);
	listener.on('POST', PATH, notRegistered);
});

const listen = async (stored = aWorkflow(byToken)) => await activate(stored, { isTest: true });
const serveResponses = (data: unknown[]) => service.always('GET', LIST, ok({ data }));
const deliveries = () => listener.sent.filter(({ query }) => 'key' in query);

test.each([
	['with an API key', byKey],
	['with OAuth2, where chosen', byToken],
])('the latest response comes as usual, beside production, %s', async (_, parameters) => {
	serveResponses([latest]);
	// n8n takes a moment to register the listener.
	const started = ok({ message: 'Workflow was started' });
	listener.on('POST', PATH, notRegistered, notRegistered, started);
	const production = await activated(service);
	const ofTest = { ...production.parameters, ...parameters };
	const stored = { ...production, staticData: {}, parameters: ofTest };
	await listen(stored);
	await eventually(() => expect(deliveries()).toHaveLength(3));
	expect(clock.elapsed()).toBe(900);
	expect(service.sent[1].query).toEqual({ limit: '1' });
	const [{ body, query, authorization }] = deliveries();
	expect(body).toEqual(latest);
	expect(authorization).toBeUndefined();
	const answer = await deliver(stored, { body, query, isTest: true });
	expect([answer.status, answer.run]).toEqual([200, pushed(latest)]);
	const crossed = await deliver(production, { body, query });
	expect([crossed.status, crossed.run]).toEqual([200, undefined]);
	const own = await deliver(production, { body: latest, query: currentQuery(service) });
	expect(own.run).toEqual(pushed(latest));
	await deactivate(stored, { isTest: true });
	await clock.pass(60_000);
	expect(service.calls()).toEqual(['POST /hooks', `GET ${LIST}`]);
});

test('the next response comes by a hook beside production, which is removed whatever happens', async () => {
	const path = `/hooks/${idOf(2, 5)}`;
	service.on('DELETE', path, ...Array<Reply>(4).fill(reply(403)));
	const production = await activated(service);
	const before = JSON.stringify(production.staticData);
	const stored = { ...production, staticData: {} };
	await listen(stored);
	expect(targetsOf(service)[1].startsWith(`${TEST_URL}/`)).toBe(true);
	expect(service.calls()).toEqual(['POST /hooks', 'POST /hooks']);
	expect(JSON.stringify(production.staticData)).toBe(before);

	const delivery = { body: latest, query: currentQuery(service) };
	const { status, run } = await deliver(stored, { ...delivery, isTest: true });
	expect([status, run]).toEqual([200, pushed(latest)]);
	expect((await deliver(production, delivery)).run).toBeUndefined();

	await deactivate(stored, { isTest: true });
	await clock.pass(3_600_000);
	const removals = service.calls().slice(2);
	expect(removals).toEqual(Array(5).fill(`DELETE ${path}`));
	const query = queryOf(targetsOf(service)[0]);
	expect((await deliver(production, { body: latest, query })).status).toBe(200);
	// Otherwise its trigger would look no more.
	const { context } = aTriggerContext(production);
	expect(productionState(context, memoryOf(context))?.status).toBe('subscribed');
});

test('what a hook brings whose creation was not answered reaches the listener', async () => {
	service.on('POST', '/hooks', fault('ECONNRESET'));
	const stored = aWorkflow();
	await expect(callHook(stored, 'create', { isTest: true })).rejects.toThrow(/broke off/);
	const delivery = { body: latest, query: currentQuery(service), isTest: true };
	expect((await deliver(stored, delivery)).run).toEqual(pushed(latest));
});

test('a refusal that repeats the target URL is told without the key', async () => {
	service.always('POST', '/hooks', ({ body }) =>
		reply(400, anError('invalid_request', `No way to ${(body as Hook).targetUrl}`)),
	);
	const listening = listen(aWorkflow());
	await expect(listening).rejects.toThrow(/No way to https/);
	const message = await listening.catch(String);
	expect(message).not.toContain(currentQuery(service).key.split('.')[1]);
});

test('a test that fails leaves the address of production as it was', async () => {
	serveResponses([]);
	const production = await activated(service);
	const parameters = { ...production.parameters, ...byToken };
	await expect(listen({ ...production, staticData: {}, parameters })).rejects.toThrow();
	await changeHooksOf(production, true);
	const [first, second] = targetsOf(service).map((url) => url.split('?')[0]);
	expect(second).toBe(first);
});

test.each([
	['status 404', reply(404)],
	['ECONNRESET', fault('ECONNRESET')],
])('that never arrives is told in the log, without the key: %s', async (said, answer) => {
	const logs = keepLogs(trigger);
	serveResponses([latest]);
	listener.on('POST', PATH, ...Array<Reply>(10).fill(answer));
	await listen();
	await eventually(() => expect(warningsIn(logs)).toHaveLength(1));
	expect(deliveries()).toHaveLength(10);
	const [warning] = warningsIn(logs);
	expect(warning).toContain(`could not be delivered to the test URL (${said})`);
	expect(warning).not.toContain(deliveries()[0].query.key.split('.')[1]);
});

test.each([
	['an API key', byKey, /^This form has no completed response yet[^"]*\.$/],
	['OAuth2', byToken, /no completed response yet.*\. Or set "Test With" to "New Response"\.$/],
])('a form without responses says so at once, with %s', async (_, parameters, message) => {
	serveResponses([]);
	await expect(listen(aWorkflow(parameters))).rejects.toThrow(message);
	expect(listener.sent).toEqual([]);
});

const unnamed = { options: { onlyIf: { conditions: [{ label: '' }] } } };

test.each([
	[{ ...byKey, pollInterval: 0 }, {}, /^The parameter "Poll Interval" is 0\./],
	[unnamed, {}, /"Only If: Question" is empty\./],
	[byToken, { webhookBaseUrl: 'n8n.example.com/webhook' }, /^The address of this n8n is not whole/],
	[{}, { webhookBaseUrl: 'http://localhost:5678/webhook' }, /localhost/],
])(
	'%j is refused as in a publication, and nothing is sent: %j',
	async (parameters, more, message) => {
		await expect(listen(aWorkflow(parameters, more))).rejects.toThrow(message);
		expect(service.sent).toEqual([]);
	},
);
