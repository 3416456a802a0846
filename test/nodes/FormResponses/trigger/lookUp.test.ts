import { startClock } from '../../../clock';
import { deliver } from '../../../n8n/webhook';
import { anError, aResponse, OTHER_FORM_ID, RESPONSE_ID } from '../../../samples';
import { fakeService, ok, refused } from '../../../service';
import { aWorkflow, pushed } from './trigger.fixture';

const NOW = Date.parse('2026-03-01T12:00:00Z');

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
});
