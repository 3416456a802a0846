import { tokenIn } from '../../../../nodes/FormResponses/trigger/deliveryToken';
import { startClock } from '../../../clock';
import { keepLogs } from '../../../in-process/logs';
import { deliver } from '../../../in-process/webhook';
import type { Stored } from '../../../in-process/workflow';
import { anError, aResponse, idOf, OTHER_FORM_ID, RESPONSE_ID } from '../../../samples';
import { fakeService, ok, refused } from '../../../service';
import {
	activated,
	aWorkflow,
	currentQuery,
	inAnotherProcess,
	pushed,
	trigger,
} from './trigger.fixture';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const MINUTE = 60_000;

const elsewhere = aResponse({ formId: OTHER_FORM_ID });

describe('a key that is not known, because static data is not saved yet or lost', () => {
	const query = { key: `${NOW - 1_000}.${'x'.repeat(43)}` };
	const PATH = `/responses/${RESPONSE_ID}`;

	beforeEach(() => {
		startClock();
	});

	test('the API has the response: 200, and what the API says runs', async () => {
		const service = fakeService();
		const original = aResponse({ formTitle: 'As the API has it' });
		service.on('GET', PATH, ok(original));
		const body = aResponse({ formTitle: 'Forged' });
		const answer = await deliver(aWorkflow(), { body, query });
		expect([answer.status, answer.run]).toEqual([200, pushed(original)]);
		expect(answer.isStaticDataUntouched).toBe(true);
	});

	test.each<[string, ReturnType<typeof ok>]>([
		['the API does not have it', refused(404, anError('not_found', 'No'))],
		['the API has it for another form', ok(elsewhere)],
		['the API gives something else', ok('<html>')],
		['the API does not accept the token', refused(403, anError('insufficient_scope', 'No'))],
	])('%s: 403, no run', async (_, reply) => {
		fakeService().on('GET', PATH, reply);
		const answer = await deliver(aWorkflow(), { body: aResponse(), query });
		expect([answer.status, answer.run]).toEqual([403, undefined]);
	});

	test('the API is down: 403 in time, no run, no error', async () => {
		const clock = startClock();
		fakeService().always('GET', PATH, refused(429, '', { 'Retry-After': '4' }));
		const answer = await deliver(aWorkflow(), { body: aResponse(), query });
		expect([answer.status, answer.run]).toEqual([403, undefined]);
		expect(clock.elapsed()).toBeLessThanOrEqual(10_000);
	});

	test('the API writes the ID of the form in capitals', async () => {
		const formId = 'abcdefab-cdef-4abc-8def-abcdefabcdef';
		const stored = aWorkflow({ formId: { __rl: true, mode: 'id', value: formId } });
		const original = aResponse({ formId: formId.toUpperCase() });
		fakeService().on('GET', PATH, ok(original));
		const { status } = await deliver(stored, { body: aResponse({ formId }), query });
		expect(status).toBe(200);
	});

	test('a failure is told in the log', async () => {
		const logs = keepLogs(trigger);
		fakeService().on('GET', PATH, refused(403, anError('insufficient_scope', 'No')));
		await deliver(aWorkflow(), { body: aResponse(), query });
		const [{ message }] = logs.filter(({ level }) => level === 'warn');
		expect(message).toMatch(/could not be looked up: .*lacks the scope responses:read/);
	});

	test('a burst of 60 that the API has runs, however seldom others may be looked up', async () => {
		const all = Array.from({ length: 60 }, (_, n) => aResponse({ responseId: idOf(n, 2) }));
		fakeService().always('GET', /^\/responses\//, ({ path }) =>
			ok(all.find(({ data }) => path.endsWith(data.responseId))),
		);
		const stored = aWorkflow();
		for (const body of all) {
			const { status } = await deliver(stored, { body, query });
			expect(status).toBe(200);
		}
	});

	test('a response that was found is not looked up for ever', async () => {
		const service = fakeService();
		service.always('GET', PATH, ok(aResponse()));
		const stored = aWorkflow();
		for (let n = 0; n < 60; n++) await deliver(stored, { body: aResponse(), query });
		expect(service.sent).toHaveLength(31);
	});

	test('the delivery is for another form: 403 without asking', async () => {
		const service = fakeService();
		const answer = await deliver(aWorkflow(), { body: elsewhere, query });
		expect([answer.status, answer.run]).toEqual([403, undefined]);
		expect(service.sent).toEqual([]);
	});

	test('no credential, no form: 403, never an error', async () => {
		const service = fakeService();
		service.on('GET', PATH, ok(aResponse()));
		const broken = aWorkflow({ formId: { __rl: true, mode: 'id', value: 'x' } });
		const unset = aWorkflow({}, { credentials: { formResponsesOAuth2Api: { baseUrl: '' } } });
		for (const stored of [broken, unset]) {
			const answer = await deliver(stored, { body: aResponse(), query });
			expect([answer.status, answer.run]).toEqual([403, undefined]);
		}
	});

	test.each<[string, number, boolean]>([
		['completed ten minutes ago at most', 9 * MINUTE, true],
		['older', 11 * MINUTE, false],
	])('nothing is stored yet, and the response is %s', async (_, ageMs, runs) => {
		const completedAt = new Date(NOW - ageMs).toISOString();
		fakeService().on('GET', PATH, ok(aResponse({ completedAt })));
		const { run } = await deliver(aWorkflow(), { body: aResponse(), query });
		expect(run !== undefined).toBe(runs);
	});

	test('what the API has counts, not what the delivery says of its age', async () => {
		const old = aResponse({ completedAt: '2026-01-01T00:00:00.000Z' });
		fakeService().on('GET', PATH, ok(old));
		const body = aResponse({ completedAt: new Date(NOW).toISOString() });
		const { status, run } = await deliver(aWorkflow(), { body, query });
		expect([status, run]).toEqual([403, undefined]);
	});

	test.each<[string, string, boolean]>([
		['from the subscription on', '2026-03-01T12:00:00.000Z', true],
		['before the subscription', '2026-03-01T11:59:59.999Z', false],
	])('the subscription is older than the key: a response %s', async (_, completedAt, runs) => {
		const service = fakeService();
		const stored = inAnotherProcess(await activated(service));
		const response = aResponse({ completedAt });
		service.always('GET', PATH, ok(response));
		const younger = { key: `${NOW + 1}.${'x'.repeat(43)}` };
		const { run } = await deliver(stored, { body: response, query: younger });
		expect(run !== undefined).toBe(runs);
	});
});

describe('keys that somebody made up', () => {
	const forge = (n: number) => ({ key: `${NOW - 1_000}.${String(n).padStart(43, 'x')}` });
	const forged = async (stored: Stored, count: number) =>
		await Promise.all(
			Array.from({ length: count }, async (_, n) => {
				const body = aResponse({ responseId: idOf(n, 7) });
				return (await deliver(stored, { body, query: forge(n) })).status;
			}),
		);

	test('cost at most 30 requests of a node and minute', async () => {
		const clock = startClock({ standing: true });
		const service = fakeService();
		service.always('GET', /./, refused(404, anError('not_found', 'No')));
		const stored = aWorkflow();
		expect(new Set(await forged(stored, 50))).toEqual(new Set([403]));
		expect(service.sent).toHaveLength(30);
		await clock.pass(59_000);
		await forged(stored, 5);
		expect(service.sent).toHaveLength(30);
		await forged(aWorkflow(), 5);
		expect(service.sent).toHaveLength(35);
		await clock.pass(1_001);
		await forged(stored, 50);
		expect(service.sent).toHaveLength(65);
	});

	test('cost none where they claim to be of the subscription that there is', async () => {
		startClock();
		const service = fakeService();
		const stored = inAnotherProcess(await activated(service));
		const { generation } = tokenIn(currentQuery(service))!;
		service.sent.splice(0);
		const key = `${generation}.${'x'.repeat(43)}`;
		const { status } = await deliver(stored, { body: aResponse(), query: { key } });
		expect([status, service.sent]).toEqual([403, []]);
	});
});
