import type { IDataObject } from 'n8n-workflow';
import { startClock, type Clock } from '../../../../clock';
import { SECRETS } from '../../../../in-process/credentials';
import { execute } from '../../../../in-process/execute';
import { callHook } from '../../../../in-process/hook';
import { keepLogs } from '../../../../in-process/logs';
import { deliver } from '../../../../in-process/webhook';
import type { Stored } from '../../../../in-process/workflow';
import { aResponse, FORM_ID, OTHER_FORM_ID } from '../../../../samples';
import { fakeService, type FakeService } from '../../../../service';
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
import { keyMade, responseAt, show } from './receive.fixture';

type Delivery = Parameters<typeof deliver>[1];

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
		expect(answer).toEqual({
			status: 200,
			body: { message: 'Received' },
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
	])('%s: 400, no run, whatever the key', async (_, body) => {
		for (const query of [currentQuery(service), keyMade(0), {}]) {
			const answer = await deliver(stored, { body, query });
			expect([answer.status, answer.run]).toEqual([400, undefined]);
		}
	});

	const nobody = { options: { onlyIf: { conditions: [{ label: 'Name', value: 'nobody' }] } } };

	test.each<[number, string, string, Delivery, IDataObject?]>([
		[200, 'Received', 'it is not a completed response', { body: { ...aResponse(), event: 'x' } }],
		[200, 'Received', 'it does not meet Only If', {}, nobody],
		[200, 'Received', 'it is too old', { query: keyMade(-9) }],
		[400, 'The body is not a completed response in JSON', 'it has another shape', { body: {} }],
		[403, 'Forbidden', 'it is for another form', { body: aResponse({ formId: OTHER_FORM_ID }) }],
		[
			410,
			'Gone',
			'its hook is for another form',
			{ body: aResponse({ formId: OTHER_FORM_ID }), query: {} },
		],
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
	const polls = inAnotherProcess({ ...stored, staticData: {} });
	const answers = [await deliver(stored, delivery), await deliver(polls, delivery)];
	expect(answers.map(({ status, run }) => [status, run?.length])).toEqual([
		[200, 1],
		[410, undefined],
	]);
});

test.each<[string, IDataObject]>([
	['waits for a response', {}],
	['has an API key', { authentication: 'apiKey' }],
])(
	'a test listener that %s: its own key runs whatever comes, any other is answered 410',
	async (...row) => {
		startClock();
		serveHooks(service);
		stored = aWorkflow();
		await callHook(stored, 'create', { isTest: true });
		Object.assign(stored.parameters, row[1]);
		const body = aResponse({ formId: OTHER_FORM_ID });
		const own = await deliver(stored, { body, query: currentQuery(service), isTest: true });
		expect([own.status, own.run]).toEqual([200, pushed(body)]);
		for (const query of [keyMade(0), {}]) {
			const { status, run } = await deliver(stored, { body, query, isTest: true });
			expect([status, run]).toEqual([410, undefined]);
		}
	},
);

describe('a response that is delivered again by the live hook', () => {
	const runsOf = async (count: number) => {
		const runs = [];
		for (let n = 0; n < count; n++) {
			const delivery = { body: aResponse(), query: currentQuery(service) };
			const { status, body, run } = await deliver(stored, delivery);
			expect([status, body]).toEqual([200, { message: 'Received' }]);
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
		const delivery = { body: aResponse(), query: currentQuery(service) };
		await deliver(stored, { ...delivery, isStoreDown: true });
		expect(await runsOf(2)).toEqual([1, 0]);
	});

	test('starts a run each time where duplicates are not to be skipped', async () => {
		stored.parameters = { ...stored.parameters, options: { skipDuplicates: false } };
		expect(await runsOf(3)).toEqual([1, 1, 1]);
	});
});

describe('whose key is the live one', () => {
	test.each<[string, (own: Stored) => Promise<Stored>, boolean]>([
		['in the process that made it', async (own) => own, true],
		['in another process', async (own) => inAnotherProcess(own), true],
		[
			'in one that saw it before a run wiped it',
			async (own) => {
				const other = inAnotherProcess(own);
				await deliver(other, { body: responseAt(9, 9), query: {} });
				return { ...other, staticData: {} };
			},
			true,
		],
		[
			'in one that saw a younger one than a run wrote back',
			async (own) => {
				const other = inAnotherProcess(own);
				await deliver(other, { body: responseAt(9, 9), query: {} });
				const [older] = [structuredClone(own.staticData)];
				Object.assign(older!['node:Forms'] as object, { keyMadeAt: 1, keyHash: 'older' });
				return { ...other, staticData: older };
			},
			true,
		],
		[
			'not in one that finds it wiped',
			async (own) => ({ ...inAnotherProcess(own), staticData: {} }),
			false,
		],
		[
			'not in a copy of the workflow',
			async (own) => ({ ...inAnotherProcess(own), workflowId: 'copy' }),
			false,
		],
	])('%s', async (_, elsewhere, isLive) => {
		clock = startClock();
		const own = await activated(service);
		const sent = responseAt(5);
		show(service, [responseAt(5, 0, { respondentEmail: 'shown' })]);
		const there = await elsewhere(own);
		const { run } = await deliver(there, { body: sent, query: currentQuery(service) });
		const { envelope, isShown } = run![0] as { envelope: typeof sent; isShown?: boolean };
		const asSent = [sent.data.respondentEmail, undefined];
		const expected = isLive ? asSent : ['shown', true];
		expect([envelope.data.respondentEmail, isShown]).toEqual(expected);
	});
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

	test.each<[string, number, number]>([
		['its twin, whose answer was lost', -2 * MINUTE, 410],
		['an older one', -HOUR, 200],
		['a younger one', HOUR, 200],
	])('%s', async (_, madeAt, status) => {
		expect(await bring(undefined, keyMade(madeAt))).toEqual([200, status]);
	});

	test('a younger one ends once it has been known for 15 minutes', async () => {
		const younger = keyMade(HOUR);
		const answers = [await bring(undefined, younger)];
		await clock.pass(15 * MINUTE - 1);
		answers.push(await bring(undefined, younger));
		await clock.pass(1);
		answers.push(await bring(undefined, younger), await bring(undefined, keyMade(HOUR, 'y')));
		expect(answers).toEqual([
			[200, 200],
			[200, 200],
			[200, 410],
			[200, 200],
		]);
	});

	test('an older one ends four days after the live one was made, whatever made-up keys repeat', async () => {
		expect(await bring(undefined, keyMade(-HOUR / 2), keyMade(-HOUR))).toEqual([200, 200, 200]);
		await clock.pass(4 * 24 * HOUR);
		expect(await bring(undefined, keyMade(-HOUR / 2))).toEqual([200, 410]);
	});

	test('ends by nothing but what the live one brought here', async () => {
		const twin = keyMade(-1);
		const body = responseAt(0, 0);
		const first = await deliver(stored, { body, query: twin });
		const again = await deliver(stored, { body, query: twin });
		expect([first.run?.length, first.status, again.run, again.status]).toEqual([
			1,
			200,
			undefined,
			200,
		]);
		expect(await bring(undefined, {})).toEqual([200, 200]);
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
		for (const body of [aResponse({ formId: OTHER_FORM_ID }), responseAt(0), {}])
			answers.push(await deliver(stored, { body, query: { key } }));
	}
	const shown = JSON.stringify([logs, answers]);
	for (const secret of [...SECRETS, ...secrets]) expect(shown).not.toContain(secret);
});
