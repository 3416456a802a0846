import nock from 'nock';
import { memoryOf } from '../../../../../../nodes/FormResponses/trigger/state/memory';
import { productionState } from '../../../../../../nodes/FormResponses/trigger/state/storedState';
import { changeHooks } from '../../../../../../nodes/FormResponses/trigger/subscribe/spareHook';
import { eventually, startClock, type Clock } from '../../../../kit/clock';
import { activate, deactivate } from '../../../../kit/hook';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import { aTriggerContext } from '../../../../kit/trigger';
import { deliver, queryOf } from '../../../../kit/webhook';
import { WEBHOOK_ID } from '../../../../kit/workflow';
import { FORM_ID, idOf, responsesOf } from '../../../../kit/samples';
import {
	fakeService,
	fault as broken,
	ok,
	reply,
	type FakeService,
	type Reply,
} from '../../../../kit/formService';
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
const notRegistered = reply(404, {
	code: 404,
	message: `The requested webhook "POST ${WEBHOOK_ID}/webhook" is not registered.`,
});
const listenerIsThere = () => listener.on('POST', PATH, notRegistered);
const deliveries = () => listener.sent.filter(({ query }) => 'key' in query);

test.each([
	['with an API key', { authentication: 'apiKey' }],
	['with OAuth2, where chosen', { testWith: 'latest' }],
])('the latest response comes as usual, beside production, %s', async (_, parameters) => {
	serveResponses([latest]);
	listenerIsThere();
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
	expect(service.calls()).toEqual(['POST /hooks', `GET /forms/${FORM_ID}/responses`]);
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
	['status 404', reply(404)],
	['ECONNRESET', broken('ECONNRESET')],
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

const byKey = { authentication: 'apiKey' };
const byToken = { testWith: 'latest' };
const LOGIN = 'https://login.example.com';
const OR_NEW = ' Or set "Test With" to "New Response".';

describe.each([
	['an API key', byKey, '.'],
	['OAuth2', byToken, OR_NEW],
])('with %s', (_, parameters, end) => {
	const message = async (isOffered = true) => {
		const error = await listen(aWorkflow(parameters)).then(
			() => new Error('It listens'),
			(reason: Error) => reason,
		);
		const ending = isOffered ? end : '.';
		expect(error.message.slice(-ending.length)).toBe(ending);
		expect(error.message.includes('Test With')).toBe(ending === OR_NEW);
		expect(deliveries()).toEqual([]);
		return error.message;
	};

	test('a form without responses says so at once', async () => {
		serveResponses([]);
		expect(await message()).toMatch(/^This form has no completed response yet/);
		expect(listener.sent).toEqual([]);
	});

	test.each([
		['a login page', reply(200, '<!DOCTYPE html><html>'), 'a web page with status 200'],
		['a proxy', reply(407), 'status 407'],
		['a gateway', reply(403, { message: 'Forbidden' }), 'status 403'],
		['another server', reply(404, { message: 'Not Found' }), 'status 404'],
		['a redirect', reply(302, '', { Location: LOGIN }), 'a web page with status 200'],
	])('%s at the test URL is named', async (__, reply, name) => {
		serveResponses([latest]);
		listener.on('POST', PATH, reply);
		nock(LOGIN).get('/').reply(200, '<html>');
		expect(await message(false)).toContain(
			`cannot be shown: not n8n but ${name} answers at its test URL, at https://n8n.example.com. Set the environment variables WEBHOOK_URL and, for tests, N8N_EDITOR_BASE_URL of`,
		);
	});

	test.each<[object, string]>([
		[{ code: 'ECONNREFUSED' }, 'n8n.example.com refused the connection. Set .*WEBHOOK_URL'],
		[
			{ code: 'EHOSTUNREACH' },
			'n8n.example.com cannot be reached from this n8n. Set .*WEBHOOK_URL',
		],
		[{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'does not trust it. If .*NODE_EXTRA_CA_CERTS'],
		[{ message: 'Odd' }, 'n8n.example.com: Odd. Set .*WEBHOOK_URL'],
		[{ message: 'Blocked by SSRF protection' }, 'forgery.*N8N_SSRF_ALLOWED_HOSTNAMES'],
		[{ message: 'restricted IP address 10.0.0.1' }, 'forgery.*N8N_SSRF_ALLOWED_HOSTNAMES'],
	])('n8n that does not reach itself says why, and what to set: %j', async (fault, expected) => {
		serveResponses([latest]);
		const error = Object.assign(new Error('Failed'), fault);
		nock(new URL(TEST_URL).origin).post(`/webhook-test${PATH}`).replyWithError(error);
		expect(await message()).toMatch(new RegExp(expected));
	});

	test.each(['n8n.example.com', 'n8n.example.com:5678', 'localhost:5678'])(
		'an address of n8n without a scheme says so: %s',
		async (address) => {
			const stored = aWorkflow(parameters, { webhookBaseUrl: `${address}/webhook` });
			await expect(listen(stored)).rejects.toThrow(/is not whole: .*WEBHOOK_URL/);
			expect(service.sent).toEqual([]);
		},
	);
});

test('a listener of this node that is registered already counts as n8n', async () => {
	serveResponses([latest]);
	listener.on('POST', PATH, reply(410, { message: 'Gone' }), ok({}));
	await listen();
	await eventually(() => expect(deliveries()).toHaveLength(1));
});

test.each([
	[{ ...byKey, pollInterval: 0 }, /^The parameter "Poll Interval" is 0\./],
	[{ options: { onlyIf: { conditions: [{ label: '' }] } } }, /"Only If: Question" is empty\./],
])('%j is refused as in a publication', async (parameters, message) => {
	await expect(listen(aWorkflow(parameters))).rejects.toThrow(message);
	expect(service.sent).toEqual([]);
});
