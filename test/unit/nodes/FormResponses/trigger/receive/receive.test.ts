import type { IDataObject } from 'n8n-workflow';
import { startClock, type Clock } from '../../../../kit/clock';
import { SECRETS } from '../../../../kit/credentials';
import { execute } from '../../../../kit/execute';
import { callHook } from '../../../../kit/hook';
import { keepLogs } from '../../../../kit/logs';
import { deliver } from '../../../../kit/webhook';
import type { Stored } from '../../../../kit/workflow';
import { aResponse, FORM_ID, OTHER_FORM_ID } from '../../../../kit/samples';
import { fakeService, type FakeService } from '../../../../kit/formService';
import {
	activated,
	aWorkflow,
	currentQuery,
	inAnotherProcess,
	pushed,
	serveHooks,
	trigger,
	whileTimePasses,
} from '../trigger.fixture';
import { keyMade, NOW, responseAt, show } from './receive.fixture';

type Delivery = Parameters<typeof deliver>[1];

const ofOtherForm = aResponse({ formId: OTHER_FORM_ID });
const untimed = aResponse({ completedAt: null as never });

let clock: Clock;
let service: FakeService;
let stored: Stored;

beforeEach(() => {
	service = fakeService();
});

describe('the answers to a delivery', () => {
	beforeEach(async () => {
		clock = startClock();
		stored = await activated(service);
		service.sent.splice(1);
	});

	test('the live key: 200, and the workflow runs with what was delivered', async () => {
		const answer = await deliver(stored, { body: aResponse(), query: currentQuery(service) });
		const shown = { status: 200, body: { message: 'Received' }, run: pushed(aResponse()) };
		expect(answer).toEqual({ ...shown, isStaticDataUntouched: true, sent: [] });
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

	const nobody = { options: { onlyIf: { conditions: [{ label: 'Name', value: 'nobody' }] } } };

	test.each<[number, string, string, Delivery, IDataObject?]>([
		[200, 'Received', 'it is not a completed response', { body: { ...aResponse(), event: 'x' } }],
		[200, 'Received', 'it does not meet Only If', {}, nobody],
		[200, 'Received', 'it is too old', { query: keyMade(-9) }],
		[
			400,
			'The body is not a completed response in JSON',
			'it has another shape',
			{ body: untimed },
		],
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
		const line = `"Forms" answered a delivery ${status}: ${reason} {}`;
		expect(logs).toEqual([{ level: 'debug', message: line }]);
	});
});

test('a node that polls has no hook once it has begun; until then the earlier one delivers', async () => {
	clock = startClock();
	stored = await activated(service);
	Object.assign(stored.parameters, { authentication: 'apiKey' });
	const delivery = { body: aResponse(), query: currentQuery(service) };
	expect(await deliver(stored, delivery)).toMatchObject({ status: 200, run: [{}] });
	const polls = inAnotherProcess({ ...stored, staticData: {} });
	expect(await deliver(polls, delivery)).toMatchObject({ status: 410, run: undefined });
});

test.each([
	['waits for a response', {}],
	['has an API key', { authentication: 'apiKey' }],
])('a test listener that %s: its key runs whatever comes, others get 410', async (...row) => {
	startClock();
	serveHooks(service);
	stored = aWorkflow();
	await callHook(stored, 'create', { isTest: true });
	Object.assign(stored.parameters, row[1]);
	const delivery = { body: ofOtherForm, isTest: true };
	const own = await deliver(stored, { ...delivery, query: currentQuery(service) });
	expect([own.status, own.run]).toEqual([200, pushed(delivery.body)]);
	for (const query of [keyMade(0), {}]) {
		const other = await deliver(stored, { ...delivery, query });
		expect([other.status, other.run]).toEqual([410, undefined]);
	}
});

describe('a response that is delivered again by the live hook', () => {
	const delivery = () => ({ body: aResponse(), query: currentQuery(service) });

	const runsOf = async (count: number) => {
		const runs = [];
		for (let n = 0; n < count; n++) {
			const { status, run } = await deliver(stored, delivery());
			expect(status).toBe(200);
			runs.push(run?.length ?? 0);
		}
		return runs;
	};

	beforeEach(async () => {
		clock = startClock({ standing: true });
		stored = await activated(service);
	});

	test('within a minute starts no run, and later one more', async () => {
		expect(await runsOf(3)).toEqual([1, 0, 0]);
		await clock.pass(59_000);
		expect(await runsOf(1)).toEqual([0]);
		await clock.pass(1_001);
		expect(await runsOf(2)).toEqual([1, 0]);
	});

	test('starts no run where this process ran it, also later', async () => {
		const run = execute({ ...stored, mode: 'webhook', items: pushed(aResponse()) });
		await whileTimePasses(clock, run);
		await clock.pass(3_600_000);
		expect(await runsOf(2)).toEqual([0, 0]);
	});

	test('starts a run at once where n8n could not store the first', async () => {
		await deliver(stored, { ...delivery(), isStoreDown: true });
		expect(await runsOf(2)).toEqual([1, 0]);
	});

	test('starts a run each time where duplicates are not to be skipped', async () => {
		stored.parameters = { ...stored.parameters, options: { skipDuplicates: false } };
		expect(await runsOf(3)).toEqual([1, 1, 1]);
	});
});

/** Where a delivery comes: whether that process saw the key before, and what is stored there then. */
type Elsewhere = Partial<Stored> & { isOwn?: boolean; sawIt?: boolean; state?: object };

const wiped = { status: undefined };
const older = { keyMadeAt: 1, keyHash: 'older' };

test.each<[string, Elsewhere, boolean]>([
	['in the process that made it', { isOwn: true }, true],
	['in another process', {}, true],
	['in one that saw it before a run wiped it', { sawIt: true, state: wiped }, true],
	['in one that saw a younger one than a run wrote back', { sawIt: true, state: older }, true],
	['not in one that finds it wiped', { state: wiped }, false],
	['not in a copy of the workflow', { workflowId: 'copy' }, false],
])('whose key is the live one: %s', async (_, { isOwn, sawIt, state, ...more }, isLive) => {
	startClock();
	const own = await activated(service);
	const there = { ...(isOwn ? own : inAnotherProcess(own)), ...more };
	show(service, [responseAt(5, 0, { respondentEmail: 'shown' })]);
	if (sawIt) await deliver(there, { body: responseAt(9, 9), query: {} });
	Object.assign(there.staticData!['node:Forms'] as object, state);
	const sent = responseAt(5);
	const { run } = await deliver(there, { body: sent, query: currentQuery(service) });
	const { envelope, isShown } = run![0] as { envelope: typeof sent; isShown?: boolean };
	const expected = isLive ? [sent.data.respondentEmail, undefined] : ['shown', true];
	expect([envelope.data.respondentEmail, isShown]).toEqual(expected);
});

describe('a hook beside the live one', () => {
	const MINUTE = 60_000;
	const HOUR = 60 * MINUTE;
	let count = 0;

	/** A new response is brought by each in turn, the live one unless a key is named. */
	async function bring(...queries: Array<Record<string, string> | undefined>) {
		const body = responseAt(clock.elapsed() / 1_000, ++count);
		const statuses = [];
		for (const query of queries) {
			const delivery = { body, query: query ?? currentQuery(service) };
			statuses.push((await deliver(stored, delivery)).status);
		}
		return statuses;
	}

	beforeEach(async () => {
		clock = startClock();
		stored = await activated(service);
		show(service, [responseAt(0, 0)]);
	});

	test('a younger one ends once it has been known for 15 minutes', async () => {
		const younger = keyMade(HOUR);
		expect(await bring(undefined, younger)).toEqual([200, 200]);
		await clock.pass(15 * MINUTE - 1);
		expect(await bring(undefined, younger)).toEqual([200, 200]);
		await clock.pass(1);
		expect(await bring(undefined, younger, keyMade(HOUR, 'y'))).toEqual([200, 410, 200]);
	});

	test('an older one ends four days after the live one was made, whatever made-up keys repeat', async () => {
		expect(await bring(undefined, keyMade(-HOUR / 2), keyMade(-HOUR))).toEqual([200, 200, 200]);
		await clock.pass(4 * 24 * HOUR);
		expect(await bring(undefined, keyMade(-HOUR / 2))).toEqual([200, 410]);
	});

	test('a twin ends by what both bring, by whatever was completed since both were made', async () => {
		const twin = keyMade(-2 * MINUTE);
		const hookMadeAt = new Date(NOW + 1_000).toISOString();
		Object.assign(stored.staticData!['node:Forms'] as object, { hookMadeAt });
		stored = inAnotherProcess(stored);
		const body = responseAt(0, 0);
		const first = await deliver(stored, { body, query: twin });
		const again = await deliver(stored, { body, query: twin });
		expect([first.run?.length, first.status]).toEqual([1, 200]);
		expect([again.run, again.status]).toEqual([undefined, 200]);
		expect(await bring(undefined, {}, twin)).toEqual([200, 200, 410]);
		await clock.pass(1_000);
		expect(await bring(twin)).toEqual([410]);
	});
});

test('no key or token appears in the log or in an answer', async () => {
	startClock();
	const logs = keepLogs(trigger);
	stored = await activated(service);
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
