import { tokenIn } from '../../../../nodes/FormResponses/trigger/deliveryToken';
import { startClock } from '../../../clock';
import { keepLogs } from '../../../in-process/logs';
import { deliver } from '../../../in-process/webhook';
import type { Stored } from '../../../in-process/workflow';
import { anError, aResponse, FORM_ID, idOf, OTHER_FORM_ID, RESPONSE_ID } from '../../../samples';
import type { FakeService, Reply } from '../../../service';
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
const PATH = `/responses/${RESPONSE_ID}`;
const keyOf = (generation: number, token = '') => ({
	key: `${generation}.${token.padStart(43, 'x')}`,
});

let service: FakeService;

beforeEach(() => {
	startClock();
	service = fakeService();
});

const elsewhere = aResponse({ formId: OTHER_FORM_ID });
const notFound = refused(404, anError('not_found', 'No'));
const forbidden = refused(403, anError('insufficient_scope', 'No'));
const CAPITALS = FORM_ID.toUpperCase();
const minutesOld = (minutes: number) =>
	aResponse({ completedAt: new Date(NOW - minutes * 60_000).toISOString() });

describe('a key that is not known, because static data is not saved yet or lost', () => {
	const query = keyOf(NOW - 1_000);

	test.each<[string, Reply, boolean]>([
		['has it: that runs', ok(aResponse({ formTitle: 'As the API has it' })), true],
		['has it, with its form in capitals', ok(aResponse({ formId: CAPITALS })), true],
		['does not have it', notFound, false],
		['does not accept the token', forbidden, false],
		['has it for another form', ok(elsewhere), false],
		['gives something else', ok('<html>'), false],
		['has it as of ten minutes ago at most, whatever was delivered', ok(minutesOld(9)), true],
		['has it as older, whatever was delivered', ok(minutesOld(11)), false],
	])('the API %s', async (_, reply, runs) => {
		const logs = keepLogs(trigger);
		service.on('GET', PATH, reply);
		const { status, run, isStaticDataUntouched } = await deliver(aWorkflow(), {
			body: aResponse({ formTitle: 'Forged' }),
			query,
		});
		const found = (reply as { body: ReturnType<typeof aResponse> }).body;
		expect([status, run]).toEqual(runs ? [200, pushed(found)] : [403, undefined]);
		expect(isStaticDataUntouched).toBe(true);
		const isTold = /could not be looked up: .*lacks the scope responses:read/;
		const said = logs.some(({ level, message }) => level === 'warn' && isTold.test(message));
		expect(said).toBe(reply === forbidden);
	});

	test.each<[string, Partial<Stored>, typeof elsewhere]>([
		['the delivery is for another form', {}, elsewhere],
		['there is no form', { parameters: {} }, aResponse()],
		[
			'there is no credential',
			{ credentials: { formResponsesOAuth2Api: { baseUrl: '' } } },
			aResponse(),
		],
	])('%s: 403, nobody is asked', async (_, more, body) => {
		const { status, run } = await deliver({ ...aWorkflow(), ...more }, { body, query });
		expect([status, run, service.sent]).toEqual([403, undefined, []]);
	});

	test('the API is down: 403 in time, no run, no error', async () => {
		const clock = startClock();
		service.always('GET', PATH, refused(429, '', { 'Retry-After': '4' }));
		const { status, run } = await deliver(aWorkflow(), { body: aResponse(), query });
		expect([status, run]).toEqual([403, undefined]);
		expect(clock.elapsed()).toBeLessThanOrEqual(10_000);
	});

	test('a burst of 60 that the API has runs; one is not looked up for ever', async () => {
		const all = Array.from({ length: 60 }, (_, n) => aResponse({ responseId: idOf(n, 2) }));
		service.always('GET', /^\/responses\//, ({ path }) =>
			ok(all.find(({ data }) => path.endsWith(data.responseId))),
		);
		const stored = aWorkflow();
		for (const body of all) expect((await deliver(stored, { body, query })).status).toBe(200);
		const body = all[59];
		for (let n = 0; n < 60; n++) await deliver(stored, { body, query });
		expect(service.sent).toHaveLength(90);
	});

	test.each([
		['from the subscription on', '2026-03-01T12:00:00.000Z', true],
		['before the subscription', '2026-03-01T11:59:59.999Z', false],
	])('the subscription is older than the key: a response %s', async (_, completedAt, runs) => {
		const stored = inAnotherProcess(await activated(service));
		const response = aResponse({ completedAt });
		service.always('GET', PATH, ok(response));
		const { run } = await deliver(stored, { body: response, query: keyOf(NOW + 1) });
		expect(run !== undefined).toBe(runs);
	});
});

describe('keys that somebody made up', () => {
	const forged = async (stored: Stored, count: number) =>
		await Promise.all(
			Array.from({ length: count }, async (_, n) => {
				const body = aResponse({ responseId: idOf(n, 7) });
				return (await deliver(stored, { body, query: keyOf(NOW - 1_000, `${n}`) })).status;
			}),
		);

	test('cost at most 30 requests of a node and minute', async () => {
		const clock = startClock({ standing: true });
		service.always('GET', /./, notFound);
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
		const stored = inAnotherProcess(await activated(service));
		const { generation } = tokenIn(currentQuery(service))!;
		const { status } = await deliver(stored, { body: aResponse(), query: keyOf(generation) });
		expect([status, service.calls()]).toEqual([403, ['POST /hooks']]);
	});
});
