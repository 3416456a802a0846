import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import { tokenIn } from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import { startClock } from '../../../../clock';
import { keepLogs } from '../../../../in-process/logs';
import { deliver } from '../../../../in-process/webhook';
import type { Stored } from '../../../../in-process/workflow';
import { anError, aResponse, FORM_ID, idOf, OTHER_FORM_ID, RESPONSE_ID } from '../../../../samples';
import type { FakeService, Reply } from '../../../../service';
import { fakeService, ok, refused } from '../../../../service';
import {
	activated,
	aWorkflow,
	currentQuery,
	inAnotherProcess,
	pushed,
	trigger,
	whileTimePasses,
} from '../trigger.fixture';

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
const withoutBaseUrl = { credentials: { formResponsesOAuth2Api: { baseUrl: '' } } };
const odd = aResponse({ metadata: undefined } as never);
const forbidden = refused(403, anError('insufficient_scope', 'No'));
const CAPITALS = FORM_ID.toUpperCase();
const minutesOld = (minutes: number) =>
	aResponse({ completedAt: new Date(NOW - minutes * 60_000).toISOString() });

describe('a key that is not known, because static data is not saved yet or lost', () => {
	const query = keyOf(NOW - 1_000);

	test.each<[string, Reply, number]>([
		['has it: that runs', ok(aResponse({ formTitle: 'As the API has it' })), 200],
		['has it, with its form in capitals', ok(aResponse({ formId: CAPITALS })), 200],
		['does not have it', notFound, 403],
		['does not accept the token', forbidden, 503],
		['has it for another form', ok(elsewhere), 403],
		['gives something else', ok('<html>'), 503],
		['has it as of a day ago at most, whatever was delivered', ok(minutesOld(1_439)), 200],
		['has it as older, whatever was delivered', ok(minutesOld(1_441)), 403],
		['has it, with something that does not matter missing', ok(odd), 200],
		['is not there, but another server', refused(404, '<html>'), 503],
	])('the API %s', async (_, reply, expected) => {
		const logs = keepLogs(trigger);
		service.on('GET', PATH, reply);
		const body = aResponse({ formTitle: 'Forged' });
		const answer = await deliver(aWorkflow(), { body, query });
		const { status, run, retryAfter, isStaticDataUntouched } = answer;
		const found = (reply as { body: ReturnType<typeof aResponse> }).body;
		expect([status, run]).toEqual([expected, expected === 200 ? pushed(found) : undefined]);
		expect(retryAfter).toBe(expected === 503 ? 10 : undefined);
		expect(isStaticDataUntouched).toBe(true);
		const isTold = /could not be looked up: .*lacks the scope responses:read/;
		const said = logs.some(({ level, message }) => level === 'warn' && isTold.test(message));
		expect(said).toBe(reply === forbidden);
	});

	test.each<[string, Partial<Stored>, typeof elsewhere, number]>([
		['the delivery is for another form', {}, elsewhere, 403],
		['there is no form', { parameters: {} }, aResponse(), 403],
		['there is no credential', withoutBaseUrl, aResponse(), 503],
	])('%s: no run, nobody is asked', async (_, more, body, expected) => {
		const { status, run } = await deliver({ ...aWorkflow(), ...more }, { body, query });
		expect([status, run, service.sent]).toEqual([expected, undefined, []]);
	});

	test.each<[string, Reply[], number]>([
		['never: no run', [], 0],
		['later: that runs all the same', [ok(aResponse())], 1],
	])('the API cannot say in time: 503 after 10 seconds, and %s', async (_, replies, runs) => {
		service.on('GET', PATH, refused(429, '', { 'Retry-After': '15' }), ...replies);
		service.always('GET', PATH, refused(429, '', { 'Retry-After': '15' }));
		const answer = await deliver(aWorkflow(), { body: aResponse(), query });
		expect([answer.status, answer.run?.length ?? 0]).toEqual([503, runs]);
		expect(answer).toMatchObject({ answeredAt: NOW + 10_000, retryAfter: 10 });
	});

	const all = Array.from({ length: 70 }, (_, n) => aResponse({ responseId: idOf(n, 2) }));
	const hasAll = ({ path }: { path: string }) =>
		ok(all.find(({ data }) => path.endsWith(data.responseId)));

	test('70 at once, which the API has, run; what is delivered again is not looked up again', async () => {
		service.always('GET', /^\/responses\//, hasAll);
		const stored = aWorkflow();
		const answers = all.map(async (body) => await deliver(stored, { body, query }));
		const statuses = (await Promise.all(answers)).map(({ status }) => status);
		expect(statuses).toEqual(all.map(() => 200));
		for (const body of all) {
			const { status, run } = await deliver(stored, { body, query });
			expect([status, run]).toEqual([200, undefined]);
		}
		expect(service.sent).toHaveLength(70);
	});

	test('what is delivered again while it is looked up is to be tried again, and looked up once', async () => {
		service.on('GET', PATH, ok(aResponse()));
		const stored = aWorkflow();
		const twice = [1, 2].map(async () => await deliver(stored, { body: aResponse(), query }));
		const answers = (await Promise.all(twice)).map(({ status, run }) => [status, run?.length]);
		expect(answers.sort()).toEqual([
			[200, 1],
			[503, undefined],
		]);
		expect(service.sent).toHaveLength(1);
	});

	test('the next run warns if some could not be looked up, unless they were delivered again', async () => {
		const stored = aWorkflow();
		const isWarned = async (body: ResponseEnvelope) => {
			const { run } = await deliver(stored, { body, query });
			return run?.map(({ isAfterUnsettled }) => isAfterUnsettled);
		};
		const unavailable = refused(400);
		service.on('GET', /^\/responses\//, unavailable, unavailable);
		expect(await isWarned(all[0])).toBeUndefined();
		expect(await isWarned(all[1])).toBeUndefined();
		service.always('GET', /^\/responses\//, hasAll);
		expect(await isWarned(all[0])).toEqual([true]);
		expect(await isWarned(all[2])).toEqual([undefined]);
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
		/** Sends these, and gives how many were asked for. */
		const asked = async (to: Stored, count: number) => {
			service.sent.splice(0);
			const statuses = await whileTimePasses(clock, forged(to, count));
			for (const status of statuses) expect([403, 503]).toContain(status);
			return service.sent.length;
		};
		const begunAt = clock.now();
		expect(await asked(stored, 50)).toBeGreaterThan(20);
		expect(service.sent.length).toBeLessThanOrEqual(30);
		await clock.pass(49_000);
		expect(await asked(stored, 5)).toBe(0);
		expect(await asked(aWorkflow(), 5)).toBe(5);
		await clock.pass(60_001 - (clock.now() - begunAt));
		expect(await asked(stored, 50)).toBeGreaterThan(20);
		expect(service.sent.length).toBeLessThanOrEqual(30);
	});

	test('cost none where they claim to be of the subscription that there is', async () => {
		const stored = inAnotherProcess(await activated(service));
		const { generation } = tokenIn(currentQuery(service))!;
		const { status } = await deliver(stored, { body: aResponse(), query: keyOf(generation) });
		expect([status, service.calls()]).toEqual([403, ['POST /hooks']]);
	});
});
