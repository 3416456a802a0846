import type { IDataObject } from 'n8n-workflow';
import { startClock } from '../../../../kit/clock';
import { SECRETS } from '../../../../kit/credentials';
import { callHook } from '../../../../kit/hookMethods';
import { keepLogs } from '../../../../kit/logs';
import { deliver } from '../../../../kit/delivery';
import type { Stored } from '../../../../kit/workflow';
import { aResponse, FORM_ID, OTHER_FORM_ID } from '../../../../kit/samples';
import { fakeService, type FakeService } from '../../../../kit/formService';
import { activated, currentQuery, pushed, trigger } from '../trigger.fixture';
import { keyMade, responseAt, show } from './receive.fixture';

type Delivery = Parameters<typeof deliver>[1];

const ofOtherForm = aResponse({ formId: OTHER_FORM_ID });
const untimed = aResponse({ completedAt: null as never });

let service: FakeService;
let stored: Stored;

beforeEach(async () => {
	startClock();
	service = fakeService();
	stored = await activated(service);
});

const logged = (status: number, reason: string) =>
	`"Forms" answered a delivery ${status}: ${reason} {}`;

describe('the answers to a delivery', () => {
	test('the live key: 200, and the workflow runs with what was delivered', async () => {
		const answer = await deliver(stored, { body: aResponse(), query: currentQuery(service) });
		const shown = { status: 200, body: { message: 'Received' }, run: pushed(aResponse()) };
		expect(answer).toEqual({ ...shown, isStaticDataUntouched: true, sent: [] });
		expect(service.calls()).toEqual(['POST /hooks']);
	});

	test('a response is run at once when it comes again, where n8n could not store the first run', async () => {
		const delivery = { body: aResponse(), query: currentQuery(service) };
		const runs = [];
		for (const isStoreDown of [true, false, false])
			runs.push((await deliver(stored, { ...delivery, isStoreDown })).run?.length);
		expect(runs).toEqual([1, 1, undefined]);
	});

	test.each<[string, object, unknown]>([
		['answers that are no list', { answers: 'x' }, undefined],
		['a label that is null', { answers: [{ fieldId: 'f', label: null }] }, undefined],
		['no metadata', { metadata: undefined }, undefined],
		['its form in capitals', { formId: FORM_ID.toUpperCase() }, undefined],
		['it says that it is text', {}, JSON.stringify(aResponse())],
		['it does not say what it is', {}, {}],
	])('a response that is odd in what does not matter here runs: %s', async (_, odd, body) => {
		const logs = keepLogs(trigger);
		const response = aResponse(odd as never);
		const rawBody = JSON.stringify(response);
		const delivery = { body: body ?? response, rawBody, query: currentQuery(service) };
		const answer = await deliver(stored, delivery);
		expect([answer.status, answer.run]).toEqual([200, pushed(response)]);
		expect(logs.map(({ message }) => message)).toEqual([logged(200, 'it runs')]);
	});

	const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => ({ data: inner }), {});
	test.each<[string, number, Delivery]>([
		['nothing', 200, {}],
		['a question whether anybody is there', 200, { body: { event: 'ping' } }],
		['deep nesting', 200, { body: deep }],
		['an envelope that does not tell its time', 400, { body: untimed }],
		['a list', 400, { body: [aResponse()] }],
		['what was cut off', 400, { body: {}, rawBody: JSON.stringify(aResponse()).slice(0, -9) }],
	])('%s: %i, no run, whatever the key', async (_, status, delivery) => {
		for (const query of [currentQuery(service), keyMade(0), {}]) {
			const answer = await deliver(stored, { ...delivery, query });
			expect([answer.status, answer.run]).toEqual([status, undefined]);
		}
	});

	const notOne = 'The body is not a completed response in JSON';
	const nobody = { options: { onlyIf: { conditions: [{ label: 'Name', value: 'nobody' }] } } };

	test.each<[number, string, string, Delivery, IDataObject?]>([
		[200, 'Received', 'it is not a completed response', { body: { ...aResponse(), event: 'x' } }],
		[200, 'Received', 'it does not meet Only If', {}, nobody],
		[200, 'Received', 'it is too old', { query: keyMade(-9) }],
		[400, notOne, 'it has another shape', { body: untimed }],
		[403, 'Forbidden', 'it is for another form', { body: ofOtherForm }],
		[410, 'Gone', 'its hook is for another form', { body: ofOtherForm, query: {} }],
	])('%i "%s", while the log says: %s', async (...row) => {
		const [status, message, reason, odd, parameters] = row;
		const logs = keepLogs(trigger);
		Object.assign(stored.parameters, parameters);
		const delivery = { body: aResponse(), query: currentQuery(service), ...odd };
		const answer = await deliver(stored, delivery);
		expect(answer).toMatchObject({ status, body: { message }, retryAfter: undefined });
		expect([answer.run, service.calls()]).toEqual([undefined, ['POST /hooks']]);
		expect(logs).toEqual([{ level: 'debug', message: logged(status, reason) }]);
	});
});

test.each([
	['waits for a response', {}],
	['has an API key', { authentication: 'apiKey' }],
])('a test listener that %s: its key runs whatever comes, others get 410', async (...row) => {
	await callHook(stored, 'create', { isTest: true });
	const logs = keepLogs(trigger);
	Object.assign(stored.parameters, row[1]);
	const delivery = { body: ofOtherForm, isTest: true };
	const own = await deliver(stored, { ...delivery, query: currentQuery(service) });
	expect([own.status, own.run]).toEqual([200, pushed(delivery.body)]);
	expect(logs.map(({ message }) => message)).toEqual([logged(200, 'it is a test')]);
	for (const query of [keyMade(0), {}]) {
		const other = await deliver(stored, { ...delivery, query });
		expect([other.status, other.run]).toEqual([410, undefined]);
	}
});

test('no key or token appears in the log or in an answer', async () => {
	const logs = keepLogs(trigger);
	show(service, []);
	const query = currentQuery(service);
	const secrets = [query.key.slice(14), 'y'.repeat(43), 'z'.repeat(43)];
	const answers = [];
	for (const key of [query.key, keyMade(0, 'y').key, keyMade(5, 'z').key, 'x']) {
		for (const body of [ofOtherForm, responseAt(0), {}])
			answers.push(await deliver(stored, { body, query: { key } }));
	}
	const shown = JSON.stringify([logs, answers]);
	for (const secret of [...SECRETS, ...secrets]) expect(shown).not.toContain(secret);
});
