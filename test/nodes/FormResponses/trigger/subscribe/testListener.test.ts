import nock from 'nock';
import { memoryOf } from '../../../../../nodes/FormResponses/trigger/state/memory';
import { productionState } from '../../../../../nodes/FormResponses/trigger/state/stored';
import { changeHooks } from '../../../../../nodes/FormResponses/trigger/subscribe/spare';
import { eventually, startClock, type Clock } from '../../../../clock';
import { activate, deactivate } from '../../../../in-process/hook';
import { keepLogs, warningsIn } from '../../../../in-process/logs';
import { aTriggerContext } from '../../../../in-process/trigger';
import { deliver, queryOf } from '../../../../in-process/webhook';
import { WEBHOOK_ID } from '../../../../in-process/workflow';
import { FORM_ID, idOf, responsesOf } from '../../../../samples';
import { fakeService, fault, ok, refused, type FakeService, type Reply } from '../../../../service';
import {
	activated,
	aWorkflow,
	currentQuery,
	pushed,
	serveHooks,
	targetsOf,
	trigger,
} from '../trigger.fixture';

const TEST_URL = 'https://n8n.example.com/webhook-test';
const [latest] = responsesOf(1);

let clock: Clock;
let service: FakeService;
let listener: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
	listener = fakeService(TEST_URL);
});

const PATH = `/${WEBHOOK_ID}/webhook`;
const listen = async (stored = aWorkflow({ testWith: 'latest' })) =>
	await activate(stored, { isTest: true });
const LIST = `/forms/${FORM_ID}/responses`;
const serveResponses = (data: unknown[]) => service.always('GET', LIST, ok({ data }));
const listenerIsThere = () => listener.on('HEAD', PATH, refused(404));
const deliveries = () => listener.sent.filter(({ method }) => method === 'POST');

test.each([
	['with an API key', { authentication: 'apiKey' }],
	['with OAuth2, where chosen', { testWith: 'latest' }],
])('the latest response comes as usual, beside production, %s', async (_, parameters) => {
	serveResponses([latest]);
	listenerIsThere();
	// n8n takes a moment to register the listener.
	const notYet = refused(404, { message: 'not registered' });
	listener.on('POST', PATH, notYet, notYet, ok({ message: 'Workflow was started' }));
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
	expect(service.calls()).toEqual(['POST /hooks', `GET /forms/${FORM_ID}/responses`]);
});

test('the next response comes by a hook beside production, which is removed whatever happens', async () => {
	const path = `/hooks/${idOf(2, 5)}`;
	service.on('DELETE', path, ...Array<Reply>(4).fill(refused(403)));
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

test('the hook of a test is removed, however the address of n8n is written', async () => {
	const stored = aWorkflow({}, { webhookBaseUrl: 'https://N8N.example.com:443/webhook' });
	const path = `/hooks/${idOf(1, 5)}`;
	serveHooks(service);
	await listen(stored);
	await deactivate(stored, { isTest: true });
	await eventually(() => expect(service.calls()).toEqual(['POST /hooks', `DELETE ${path}`]));
});

test('a test that fails leaves the address of production as it was', async () => {
	serveResponses([]);
	const production = await activated(service);
	const parameters = { ...production.parameters, testWith: 'latest' };
	await expect(listen({ ...production, staticData: {}, parameters })).rejects.toThrow();
	const { context } = aTriggerContext(production);
	await changeHooks(context, memoryOf(context), () => true);
	const [first, second] = targetsOf(service).map((url) => url.split('?')[0]);
	expect(second).toBe(first);
});

test.each([
	['404', refused(404)],
	['no answer', fault('ECONNRESET')],
])('that never arrives is told in the log, without the key: %s', async (said, reply) => {
	const logs = keepLogs(trigger);
	serveResponses([latest]);
	listenerIsThere();
	listener.on('POST', PATH, ...Array.from({ length: 10 }, () => reply));
	await listen();
	await eventually(() => expect(warningsIn(logs)).toHaveLength(1));
	expect(deliveries()).toHaveLength(10);
	const [warning] = warningsIn(logs);
	expect(warning).toContain(`could not be delivered to the test URL (${said})`);
	expect(warning).not.toContain(deliveries()[0].query.key.split('.')[1]);
});

test('a form without responses says so at once', async () => {
	serveResponses([]);
	await expect(listen()).rejects.toThrow(/^This form has no completed response yet/);
	expect(listener.sent).toEqual([]);
});

test.each([
	['connect ECONNREFUSED', /cannot reach its own test URL.*WEBHOOK_URL/],
	['Request blocked by SSRF protection', /request forgery.*N8N_SSRF_ALLOWED_HOSTNAMES/],
	['restricted IP address 10.0.0.1', /request forgery.*N8N_SSRF_ALLOWED_HOSTNAMES/],
])('n8n that does not reach itself says so, and what to set: %s', async (reason, message) => {
	serveResponses([latest]);
	nock(new URL(TEST_URL).origin).head(`/webhook-test${PATH}`).replyWithError(reason);
	await expect(listen()).rejects.toThrow(message);
});
