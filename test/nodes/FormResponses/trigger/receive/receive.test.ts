import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import nock from 'nock';
import { tokenIn } from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import { startClock } from '../../../../clock';
import { credentialValues, SECRETS } from '../../../../in-process/credentials';
import { execute } from '../../../../in-process/execute';
import { activate, callHook } from '../../../../in-process/hook';
import { keepLogs } from '../../../../in-process/logs';
import { deliver } from '../../../../in-process/webhook';
import type { Stored } from '../../../../in-process/workflow';
import { aResponse, FORM_ID, idOf, OTHER_FORM_ID } from '../../../../samples';
import type { FakeService } from '../../../../service';
import { fakeService } from '../../../../service';
import {
	activated,
	currentQuery,
	inAnotherProcess,
	pushed,
	serveHooks,
	trigger,
	whileTimePasses,
} from '../trigger.fixture';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const keyOf = (generation: number) => `${generation}.${'x'.repeat(43)}`;

type Delivery = Parameters<typeof deliver>[1];

const others = { conditions: [{ label: 'Name', value: 'nobody' }] };

const logged = (status: number, reason: string) => ({
	level: 'debug',
	message: `"Forms" answered a delivery ${status}: ${reason} {}`,
});

let service: FakeService;
let stored: Stored;

beforeEach(() => {
	service = fakeService();
});

describe('the answers to a delivery', () => {
	beforeEach(async () => {
		startClock();
		stored = await activated(service);
		service.sent.splice(1);
	});

	test('the right key: 200, and the workflow runs with what was delivered', async () => {
		const answer = await deliver(stored, { body: aResponse(), query: currentQuery(service) });
		expect(answer).toEqual({
			status: 200,
			body: { message: 'Workflow was started' },
			run: pushed(aResponse()),
			isStaticDataUntouched: true,
			sent: [],
		});
		expect(service.calls()).toEqual(['POST /hooks']);
	});

	test.each<[string, object, unknown]>([
		['answers that are no list', { answers: 'x' }, undefined],
		['a label that is null', { answers: [{ fieldId: 'f', label: null }] }, undefined],
		['no metadata', { metadata: undefined }, undefined],
		['its form in capitals', { formId: FORM_ID.toUpperCase() }, undefined],
		['it says that it is text', {}, JSON.stringify(aResponse())],
		['it does not say what it is', {}, {}],
	])('a response that is odd in what does not matter here runs: %s', async (_, odd, body) => {
		const response = aResponse(odd as never);
		const rawBody = JSON.stringify(response);
		const delivery = { body: body ?? response, rawBody, query: currentQuery(service) };
		const answer = await deliver(stored, delivery);
		expect([answer.status, answer.run]).toEqual([200, pushed(response)]);
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['an envelope that does not tell its time', aResponse({ completedAt: null as never })],
		['deep nesting', Array.from({ length: 500 }).reduce<unknown>((inner) => ({ data: inner }), {})],
	])('%s: 400, no run', async (_, body) => {
		const answer = await deliver(stored, { body, query: currentQuery(service) });
		expect([answer.status, answer.run]).toEqual([400, undefined]);
	});

	test.each<[string, Record<string, unknown>, number, string]>([
		['a malformed key', { key: 'x' }, 403, 'Forbidden'],
		['two keys', { key: [keyOf(NOW), keyOf(NOW)] }, 403, 'Forbidden'],
		['the right generation with another token', { key: keyOf(NOW) }, 403, 'Forbidden'],
		['a key from the future', { key: keyOf(NOW + 3_600_000) }, 403, 'Forbidden'],
		['an earlier key', { key: keyOf(NOW - 9) }, 410, 'Gone'],
	])('%s: no run, nobody is asked, and nothing is said about keys', async (...row) => {
		const [, query, status, message] = row;
		for (const isTest of [false, true]) {
			const answer = await deliver(stored, { body: aResponse(), query, isTest });
			expect(answer).toMatchObject({ status, body: { message }, run: undefined });
		}
		expect(service.calls()).toEqual(['POST /hooks']);
	});

	test.each<[number, string, string, Delivery, IDataObject?]>([
		[200, 'Received', 'it is not a completed response', { body: { ...aResponse(), event: 'x' } }],
		[200, 'Received', 'it does not meet Only If', {}, { options: { onlyIf: others } }],
		[400, 'The body is not a completed response in JSON', 'it has another shape', { body: {} }],
		[403, 'Forbidden', 'it has no key', { query: {} }],
		[403, 'Forbidden', 'its key is not known', { query: { key: keyOf(NOW) } }],
		[403, 'Forbidden', 'its key is not known', { query: { key: keyOf(NOW) }, isTest: true }],
		[403, 'Forbidden', 'it is for another form', { body: aResponse({ formId: OTHER_FORM_ID }) }],
		[
			410,
			'Gone',
			'its subscription was replaced by a newer one',
			{ query: { key: keyOf(NOW - 9) } },
		],
		[410, 'Gone', 'there is no subscription any more', {}, { authentication: 'apiKey' }],
	])('%i "%s", while the log says: %s', async (...row) => {
		const [status, message, reason, odd, parameters] = row;
		const logs = keepLogs(trigger);
		Object.assign(stored.parameters, parameters);
		const delivery = { body: aResponse(), query: currentQuery(service), ...odd };
		const answer = await deliver(stored, delivery);
		expect(answer).toMatchObject({ status, body: { message }, retryAfter: undefined });
		expect(logs).toEqual([logged(status, reason)]);
	});
});

describe('a response that is delivered again', () => {
	const runsOf = async (count: number) => {
		const runs = [];
		for (let n = 0; n < count; n++) {
			const delivery = { body: aResponse(), query: currentQuery(service) };
			const { status, body, run } = await deliver(stored, delivery);
			expect([status, Object.keys(body as object)]).toEqual([200, ['message']]);
			runs.push(run?.length ?? 0);
		}
		return runs;
	};

	test('within a minute starts no run, and later one more', async () => {
		const clock = startClock({ standing: true });
		stored = await activated(service);
		const logs = keepLogs(trigger);
		expect(await runsOf(3)).toEqual([1, 0, 0]);
		expect(logs[0]).toEqual(logged(200, 'it was delivered before'));
		await clock.pass(59_000);
		expect(await runsOf(1)).toEqual([0]);
		await clock.pass(1_001);
		expect(await runsOf(2)).toEqual([1, 0]);
	});

	test('starts no run where this process ran it, also later', async () => {
		const clock = startClock({ standing: true });
		stored = await activated(service);
		const run = execute({ ...stored, mode: 'webhook', items: pushed(aResponse()) });
		await whileTimePasses(clock, run);
		await clock.pass(3_600_000);
		expect(await runsOf(2)).toEqual([0, 0]);
	});

	test('starts a run at once where n8n could not store the first', async () => {
		startClock();
		stored = await activated(service);
		const delivery = { body: aResponse(), query: currentQuery(service) };
		await deliver(stored, { ...delivery, isStoreDown: true });
		expect(await runsOf(2)).toEqual([1, 0]);
	});

	test('starts a run each time where duplicates are not to be skipped', async () => {
		startClock();
		stored = await activated(service, { options: { skipDuplicates: false } });
		expect(await runsOf(3)).toEqual([1, 1, 1]);
	});
});

describe('deliveries with keys that n8n has not stored', () => {
	const responses = Array.from({ length: 70 }, (_, n) => aResponse({ responseId: idOf(n, 3) }));

	/** In a process that finds nothing stored. */
	async function wiped(client: { clientSecret?: string } = {}) {
		const values = credentialValues({}, client);
		let reads = 0;
		const credentials = {
			get formResponsesOAuth2Api() {
				reads += 1;
				return values.formResponsesOAuth2Api;
			},
		};
		const here = await activated(service, {}, { credentials: values });
		stored = { ...inAnotherProcess(here), staticData: {}, credentials };
		const query = currentQuery(service);
		const forged = { key: keyOf(tokenIn(query)!.generation) };
		const statuses = async (of: Record<string, string>, all = responses) =>
			await Promise.all(
				all.map(async (body) => (await deliver(stored, { body, query: of })).status),
			);
		return { statuses, query, forged, reads: () => reads };
	}

	const times = (count: number, status: number) => Array<number>(count).fill(status);

	test('read the credential once, however many come at once', async () => {
		startClock({ standing: true });
		const { statuses, query, forged, reads } = await wiped();
		const before = reads();
		expect(await statuses(query)).toEqual(times(70, 200));
		expect(await statuses(forged)).toEqual(times(70, 403));
		expect(reads() - before).toBe(1);
	});

	test.each([
		['at once', 0, []],
		['late', 11_000, [{ status: 503 }]],
	])('run, whenever they are proven, and are answered once: %s', async (_, ms, answers) => {
		const clock = startClock({ standing: true });
		const { query } = await wiped();
		const delivery = { body: aResponse(), query, credentialAfter: sleep(ms) };
		const { run, sent } = await whileTimePasses(clock, deliver(stored, delivery));
		await clock.pass(11_000);
		expect([run, sent]).toMatchObject([pushed(aResponse()), answers]);
	});

	test('of a public client start 30 runs a minute, and others are to be tried again', async () => {
		const clock = startClock({ standing: true });
		const { statuses, forged } = await wiped({ clientSecret: '' });
		expect(await statuses(forged)).toEqual([...times(30, 200), ...times(40, 503)]);
		const logs = keepLogs(trigger);
		const refused = await deliver(stored, { body: aResponse(), query: forged });
		expect(refused).toMatchObject({ body: { message: 'Try again later' }, retryAfter: 10 });
		expect(logs).toEqual([logged(503, 'its key could not be checked in time')]);
		await clock.pass(60_000);
		expect(await statuses(forged, responses.slice(30, 32))).toEqual([200, 200]);
	});
});

describe('a hook that was replaced', () => {
	test('is answered 410 at once, and starts nothing by what it says', async () => {
		const clock = startClock();
		stored = await activated(service);
		const before = currentQuery(service);
		await callHook(stored, 'delete');
		await callHook(stored, 'create');
		service.sent.splice(0);
		const begunAt = clock.elapsed();
		const { status, run } = await deliver(stored, { body: aResponse(), query: before });
		expect([status, run, service.sent, clock.elapsed()]).toEqual([410, undefined, [], begunAt]);
	});

	/** Another process, after a start that did not get the answer to its POST: it knows both keys. */
	async function behind(client: { clientSecret?: string } = {}) {
		stored = await activated(service, {}, { credentials: credentialValues({}, client) });
		const before = currentQuery(service);
		nock.cleanAll();
		serveHooks(service, undefined, () => true);
		await activate(stored, { activation: 'init' });
		const now = currentQuery(service);
		const younger = tokenIn(now)!.generation;
		return { other: inAnotherProcess(stored), younger, before, now };
	}

	test.each([
		['of a public client', { clientSecret: '' }, 200],
		['of another client', {}, 403],
	])('is not replaced by a made-up key %s', async (_, client, expected) => {
		const clock = startClock({ standing: true });
		const { other, younger, before } = await behind(client);
		const query = { key: keyOf(younger) };
		expect((await deliver(other, { body: aResponse(), query })).status).toBe(expected);
		await clock.pass(61_000);
		const another = { body: aResponse({ responseId: idOf(9, 3) }), query: before };
		expect((await deliver(other, another)).status).toBe(200);
	});

	test('as another process learns: for a minute it is the live one, then it is replaced', async () => {
		const clock = startClock({ standing: true });
		const { other, before, now } = await behind();
		const logs = keepLogs(other.type);
		let count = 0;
		const answers = async (query: Record<string, string>) => {
			const begunAt = clock.now();
			const body = aResponse({ responseId: idOf(++count, 3) });
			const answer = deliver(other, { body, query });
			const { status, run } = await whileTimePasses(clock, answer);
			return [status, run?.length, Math.floor((clock.now() - begunAt) / 1_000)];
		};
		expect(await answers(before)).toEqual([200, 1, 0]);
		expect(await answers(now)).toEqual([200, 1, 5]);
		expect(logs).toEqual([logged(200, 'the workflow runs a moment later')]);
		expect(await answers(before)).toEqual([200, 1, 0]);
		await clock.pass(45_000);
		expect(await answers(now)).toEqual([200, 1, 5]);
		await clock.pass(15_000);
		expect(await answers(now)).toEqual([200, 1, 0]);
		expect(await answers(before)).toEqual([410, undefined, 0]);
	});
});

test('no token or key appears in the log or in an answer', async () => {
	startClock();
	const logs = keepLogs(trigger);
	stored = await activated(service);
	const query = currentQuery(service);
	const { token } = tokenIn(query)!;
	const answers = [];
	for (const key of [query.key, `${NOW}.${'y'.repeat(43)}`, `${NOW + 5}.${'z'.repeat(43)}`, 'x']) {
		for (const body of [aResponse({ formId: OTHER_FORM_ID }), aResponse()])
			answers.push(await deliver(stored, { body, query: { key } }));
	}
	const shown = JSON.stringify([logs, answers]);
	for (const secret of [...SECRETS, token, 'y'.repeat(43), 'z'.repeat(43)]) {
		expect(shown).not.toContain(secret);
	}
});
