import { tokenIn } from '../../../../nodes/FormResponses/trigger/deliveryToken';
import { startClock } from '../../../clock';
import { SECRETS } from '../../../in-process/credentials';
import { execute } from '../../../in-process/execute';
import { activate, callHook } from '../../../in-process/hook';
import { keepLogs } from '../../../in-process/logs';
import { deliver, queryOf } from '../../../in-process/webhook';
import type { Stored } from '../../../in-process/workflow';
import { WEBHOOK_BASE_URL } from '../../../in-process/workflow';
import { anError, aResponse, FORM_ID, OTHER_FORM_ID } from '../../../samples';
import type { FakeService } from '../../../service';
import { fakeService, fault, refused } from '../../../service';
import {
	activated,
	aWorkflow,
	currentQuery,
	pushed,
	serveHooks,
	targetsOf,
	trigger,
	whileTimePasses,
} from './trigger.fixture';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const elsewhere = aResponse({ formId: OTHER_FORM_ID });

const NOT_ENVELOPES: Array<[string, unknown]> = [
	['nothing', undefined],
	['null', null],
	['text', 'response.completed'],
	['a number', 7],
	['a list', [aResponse()]],
	['an empty object', {}],
	['HTML', '<html></html>'],
	['an envelope without data', { ...aResponse(), data: undefined }],
	[
		'an envelope that does not tell when it was completed',
		{ ...aResponse(), data: { ...aResponse().data, completedAt: null } },
	],
	['an envelope whose response id is no UUID', aResponse({ responseId: '../me' })],
	['deep nesting', Array.from({ length: 500 }).reduce<unknown>((inner) => ({ data: inner }), {})],
];

describe('the answers to a delivery', () => {
	let service: FakeService;
	let stored: Stored;

	beforeEach(async () => {
		startClock();
		service = fakeService();
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
		});
		expect(service.calls()).toEqual(['POST /hooks']);
	});

	test.each<[string, object]>([
		['answers that are no list', { answers: 'x' }],
		['a label that is null', { answers: [{ fieldId: 'f', label: null }] }],
		['no metadata', { metadata: undefined }],
	])('a response that is odd in what does not matter here runs: %s', async (_, odd) => {
		const body = aResponse(odd as never);
		const answer = await deliver(stored, { body, query: currentQuery(service) });
		expect([answer.status, answer.run]).toEqual([200, pushed(body)]);
	});

	test('a form id in capitals is the same form', async () => {
		const body = aResponse({ formId: FORM_ID.toUpperCase() });
		const { status, run } = await deliver(stored, { body, query: currentQuery(service) });
		expect([status, run?.length]).toEqual([200, 1]);
	});

	test.each(NOT_ENVELOPES)('%s: 400, no run', async (_, body) => {
		const answer = await deliver(stored, { body, query: currentQuery(service) });
		expect([answer.status, answer.run, answer.isStaticDataUntouched]).toEqual([
			400,
			undefined,
			true,
		]);
	});

	test.each<[string, Record<string, unknown>]>([
		['no key', {}],
		['a malformed key', { key: 'x' }],
		['two keys', { key: [`${NOW}.${'x'.repeat(43)}`, `${NOW}.${'x'.repeat(43)}`] }],
		['the right generation with another token', { key: `${NOW}.${'x'.repeat(43)}` }],
		['a key from the future', { key: `${NOW + 3_600_000}.${'x'.repeat(43)}` }],
	])('%s: 403, no run, nobody is asked', async (_, query) => {
		const answer = await deliver(stored, { body: aResponse(), query });
		expect([answer.status, answer.run]).toEqual([403, undefined]);
		expect(service.calls()).toEqual(['POST /hooks']);
	});

	test('the key of the hook before, for a response that the live one delivers too: 410, no run', async () => {
		const before = currentQuery(service);
		await activate(stored);
		const [soon, later] = [4_900, 5_100].map((ms) =>
			aResponse({ completedAt: new Date(NOW + ms).toISOString() }),
		);
		const answers = [
			await deliver(stored, { body: soon, query: before }),
			await deliver(stored, { body: later, query: before }),
			await deliver(stored, { body: later, query: currentQuery(service) }),
		];
		expect(answers.map(({ status, run }) => [status, run?.length])).toEqual([
			[410, 1],
			[410, undefined],
			[200, 1],
		]);
	});

	test('a key whose hook was made although its answer was lost: the response runs', async () => {
		const lossy = fakeService('https://lossy.example.com/api/v1');
		lossy.on('POST', '/hooks', fault('ECONNRESET'));
		const workflow = aWorkflow();
		workflow.credentials = {
			...workflow.credentials,
			formResponsesOAuth2Api: {
				baseUrl: 'https://lossy.example.com/api/v1',
				oauthTokenData: { access_token: 'token-for-lossy' },
			},
		};
		await expect(callHook(workflow, 'create')).rejects.toThrow(/broke off/);
		const { run } = await deliver(workflow, {
			body: aResponse(),
			query: queryOf(targetsOf(lossy)[0]),
		});
		expect(run).toEqual(pushed(aResponse()));
	});
});

describe('a response that is delivered again', () => {
	let service: FakeService;
	let stored: Stored;

	beforeEach(() => {
		service = fakeService();
	});

	const runsOf = async (count: number, isTest = false) => {
		const runs = [];
		for (let n = 0; n < count; n++) {
			const delivery = { body: aResponse(), query: currentQuery(service), isTest };
			const { status, body, run } = await deliver(stored, delivery);
			expect([status, Object.keys(body as object)]).toEqual([200, ['message']]);
			runs.push(run?.length ?? 0);
		}
		return runs;
	};

	test('within a minute starts no run, and later one more', async () => {
		const clock = startClock({ standing: true });
		stored = await activated(service);
		expect(await runsOf(3)).toEqual([1, 0, 0]);
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

	test('starts a run each time where duplicates are not to be skipped', async () => {
		startClock();
		stored = await activated(service, { options: { skipDuplicates: false } });
		expect(await runsOf(3)).toEqual([1, 1, 1]);
	});

	test('by another hook starts a run 5 seconds later, so that the live one’s is first', async () => {
		const clock = startClock();
		stored = await activated(service);
		const before = currentQuery(service);
		await callHook(stored, 'delete');
		await callHook(stored, 'create');
		clock.waits.splice(0);
		const { run } = await deliver(stored, { body: aResponse(), query: before });
		expect([run?.length, clock.waits]).toEqual([1, [5_000]]);
		await deliver(stored, { body: aResponse(), query: currentQuery(service) });
		expect(clock.waits).toEqual([5_000]);
	});
});

test.each<[string, Record<string, string>, unknown]>([
	['403', { key: `${NOW}.${'x'.repeat(43)}` }, { message: 'Forbidden' }],
	['410', { key: `${NOW - 9}.${'x'.repeat(43)}` }, { message: 'Gone' }],
])('the body of %s says nothing about keys', async (_, query, body) => {
	startClock();
	const stored = await activated(fakeService());
	expect((await deliver(stored, { body: aResponse(), query })).body).toEqual(body);
});

test('no token or key appears in the log or in an answer', async () => {
	startClock();
	const logs = keepLogs(trigger);
	const service = fakeService();
	const stored = await activated(service);
	const query = currentQuery(service);
	const { token } = tokenIn(query)!;
	service.always('GET', /^\/responses\//, ({ authorization }) =>
		refused(401, anError('unauthorized', `Bad ${authorization} ${token}`)),
	);
	const answers = [];
	for (const key of [query.key, `${NOW}.${'y'.repeat(43)}`, `${NOW + 5}.${'z'.repeat(43)}`, 'x']) {
		answers.push(await deliver(stored, { body: elsewhere, query: { key } }));
		answers.push(await deliver(stored, { body: aResponse(), query: { key } }));
	}
	const shown = JSON.stringify([logs, answers]);
	for (const secret of [...SECRETS, token, 'y'.repeat(43), 'z'.repeat(43)]) {
		expect(shown).not.toContain(secret);
	}
});

describe('a test listener', () => {
	test('takes what its own hook delivers, and production takes none of it', async () => {
		startClock();
		const service = fakeService();
		serveHooks(service);
		const production = aWorkflow();
		await activate(production);
		const test = { ...production, staticData: {} };
		await activate(test, { isTest: true });
		const [ofProduction, ofTest] = targetsOf(service).map(queryOf);
		expect(targetsOf(service)[1]).toContain(`${WEBHOOK_BASE_URL}-test/`);

		const taken = await deliver(test, { body: aResponse(), query: ofTest, isTest: true });
		expect([taken.status, taken.run]).toEqual([200, pushed(aResponse())]);
		const crossed = await deliver(production, { body: elsewhere, query: ofTest });
		expect(crossed.run).toBeUndefined();
		const own = await deliver(production, { body: aResponse(), query: ofProduction });
		expect(own.status).toBe(200);
	});
});
