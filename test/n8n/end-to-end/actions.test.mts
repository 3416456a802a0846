import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Item } from '../../../playground/n8n/types.mts';
import type { Form } from '../../../playground/service/client.mts';
import type { FaultRequest } from '../../../playground/service/faults/fault.mts';
import { eventually } from '../kit/eventually.mts';
import { publishGetNew } from '../kit/published-get-new.mts';
import { useRig } from '../kit/real-n8n.mts';
import { ACTION, byId, NOWHERE, PACKAGE } from '../kit/workflow-nodes.mts';

type Json = Record<string, unknown>;

const listForms = { resource: 'form', operation: 'getAll' };
const column = (items: Item[], name: string) => items.map(({ json }) => json[name]);

const NOTHING_MATCHES = /^For at least one item, nothing that was read matches the filters\.$/;

describe('the action node in a real n8n', () => {
	const rig = useRig();
	beforeEach(async () => {
		await rig.service.reset();
		await rig.service.forgetRequests();
	});

	const pick = async (authentication: string, filter?: string, paginationToken?: string) =>
		await rig.n8n.resourceLocatorResults({
			nodeType: `${PACKAGE}.formResponses`,
			parameter: 'formId',
			methodName: 'searchForms',
			currentNodeParameters: { authentication },
			credentials: rig.credentials,
			filter,
			paginationToken,
		});

	test('account: get', async () => {
		const get = { resource: 'account', operation: 'get' };
		const [item] = await rig.actionOutput(get);
		assert.equal((item!.json.user as Json).email, 'demo.user@example.com');
		const [keyItem] = await rig.actionOutput({ ...get, authentication: 'apiKey' });
		assert.equal(keyItem!.json.user, null);
		assert.equal(keyItem!.json.scope, 'responses:read');
	});

	describe('many forms, asked for page by page', () => {
		const updatedAt = '2026-02-01T00:00:00.000Z';
		type Found = (form: Form, index: number) => boolean;
		const cases: Array<[says: string, Json, isFound: Found, limits: number[]]> = [
			['Return All takes 3 requests', { returnAll: true }, () => true, [100, 100, 100]],
			['a limit of 120 asks for no form too many', { limit: 120 }, (_, n) => n < 120, [100, 20]],
			[
				'Updated After stops at the first older form',
				{ returnAll: true, filters: { updatedAfter: '2026-01-31T23:59:00.500Z' } },
				(form) => form.updatedAt > '2026-01-31T23:59:00.500Z',
				[100],
			],
			[
				'a part of the title is found on any page',
				{ returnAll: true, filters: { titleContains: 'FORM 24' } },
				({ title }) => title.startsWith('Form 24'),
				[100, 100, 100],
			],
		];
		for (const [says, parameters, isFound, limits] of cases) {
			test(says, async () => {
				const [twin] = await rig.service.addForms({ title: 'As old as the first', updatedAt });
				const made = await rig.service.addForms({ title: 'Form', count: 249, updatedAt });
				const items = await rig.actionOutput({ ...listForms, ...parameters });
				const expected = [twin!, ...made].filter(isFound);
				assert.deepEqual(
					column(items, 'updatedAt'),
					expected.map((form) => form.updatedAt),
				);
				assert.deepEqual(
					new Set(items.map(({ json }) => json.id)),
					new Set(expected.map(({ id }) => id)),
				);
				const requests = await rig.service.requests();
				assert.deepEqual(
					requests.map(({ query }) => Number(query.limit)).sort((one, other) => other - one),
					limits,
				);
			});
		}
	});

	test('form: get finds it on any page', async () => {
		const updatedAt = '2026-01-01T00:00:00Z';
		const [form] = await rig.service.addForms({ title: 'Old', updatedAt });
		await rig.service.addForms({ title: 'Form', count: 120 });
		const get = { resource: 'form', operation: 'get', formId: byId(form!.id.toUpperCase()) };
		const [item, ...others] = await rig.actionOutput(get);
		assert.deepEqual([item!.json.id, item!.json.title, others], [form!.id, 'Old', []]);
		assert.equal((await rig.service.requests()).length, 2);
	});

	describe('what the newest 25 responses cannot show', () => {
		const longAgo = { completedBefore: '2020-01-01' };
		const cases: Array<[says: string, Json, items: number, isHint: boolean]> = [
			['none of 25 is as old as what is looked for', { filters: longAgo }, 0, true],
			['all 25 are asked for', { responseLimit: 25 }, 25, true],
			['10 of 25 are asked for', {}, 10, false],
			['the oldest is too old', { filters: { completedAfter: '={{ $now }}' } }, 0, false],
		];
		for (const [says, parameters, items, isHint] of cases) {
			test(`${isHint ? 'a hint' : 'no hint'} where ${says}`, async () => {
				const form = await rig.service.addForm('Contact');
				await rig.service.addResponses(form.id, { count: 25 });
				const get = { operation: 'getAll', formId: byId(form.id), ...parameters };
				const execution = await rig.runAction(get);
				assert.equal(rig.n8n.nodeOutput(execution, ACTION).length, items);
				const [run] = execution.data.resultData.runData[ACTION]!;
				const { hints = [] } = run!;
				const expected: RegExp[] = [];
				if (isHint) expected.push(/out of its reach/);
				if (items === 0) expected.push(NOTHING_MATCHES);
				assert.equal(hints.length, expected.length);
				hints.forEach(({ message }, n) => assert.match(String(message), expected[n]!));
			});
		}
	});

	test('the options of a simplified response also hold where Simplify is an expression', async () => {
		const form = await rig.service.addForm('Contact');
		const hiddenFields = { Name: 'hidden', campaign: 'spring' };
		const answers = { Name: 'Ada', Email: 'ada@example.com', Message: 'Hi' };
		await rig.service.addResponses(form.id, { answers, hiddenFields });
		const options = {
			flattenAnswers: true,
			include: ['responseId', 'hiddenFields', 'createdAt', 'answerTypes'],
		};
		const get = { operation: 'getAll', formId: byId(form.id), options };
		for (const simplify of [true, '={{ true }}', '={{ "true" }}']) {
			const [item] = await rig.actionOutput({ ...get, simplify });
			assert.deepEqual(Object.keys(item!.json), [
				...Object.keys(answers),
				'responseId',
				'Name (2)',
				'campaign',
				'answerTypes',
				'createdAt',
			]);
		}
		const [whole] = await rig.actionOutput({ ...get, simplify: '={{ "false" }}' });
		assert.deepEqual(Object.keys(whole!.json), ['event', 'createdAt', 'data']);
	});

	test('25 responses come newest first, with an API key too', async () => {
		const form = await rig.service.addForm('Contact');
		const made = await rig.service.addResponses(form.id, { count: 30 });
		const newest = made
			.map(({ data }) => data)
			.sort((a, b) => b.completedAt.localeCompare(a.completedAt))
			.slice(0, 25)
			.map(({ responseId }) => responseId);
		for (const authentication of ['oAuth2', 'apiKey']) {
			const get = { operation: 'getAll', formId: byId(form.id), responseLimit: 25 };
			const items = await rig.actionOutput({ authentication, ...get });
			assert.deepEqual(column(items, 'responseId'), newest);
		}
	});

	test('answers are keyed by label, and none is lost', async () => {
		const form = await rig.service.addForm('Contact');
		const answer = (label: string, value: string) => ({
			fieldId: `field-${value}`,
			label,
			type: 'text',
			value,
			rawValue: { raw: value },
		});
		const answers = [
			answer('Name', '1'),
			answer('Name', '2'),
			answer('Name (2)', '3'),
			answer('__proto__', '4'),
			answer('שם 🙂', '5'),
		];
		const [made] = await rig.service.addResponses(form.id, { answers });
		const get = { operation: 'get', responseId: made!.data.responseId };
		const [simple] = await rig.actionOutput(get);
		assert.deepEqual(Object.entries(simple!.json.answers as Json), [
			['Name', '1'],
			['Name (3)', '2'],
			['Name (2)', '3'],
			['__proto__', '4'],
			['שם 🙂', '5'],
		]);
		const options = { answerKeys: 'fieldId', answerValues: 'rawValue' };
		const [raw] = await rig.actionOutput({ ...get, options });
		assert.deepEqual((raw!.json.answers as Json)['field-5'], { raw: '5' });
		const [whole] = await rig.actionOutput({ ...get, simplify: false });
		assert.deepEqual(whole!.json, made);
	});

	test('Get New in a manual run shows the newest, oldest first, and remembers nothing', async () => {
		const form = await rig.service.addForm('Contact');
		const made = await rig.service.addResponses(form.id, { count: 3 });
		const parameters = { operation: 'getNew', formId: byId(form.id), authentication: 'apiKey' };
		for (let time = 1; time <= 2; time++) {
			const expected = made.map(({ data }) => data.responseId);
			assert.deepEqual(column(await rig.actionOutput(parameters), 'responseId'), expected);
		}
	});

	describe('Get New in production', () => {
		const gone = { kind: 'status', status: 404 } as const;
		const cases: Array<[how: string, FaultRequest, extra: Json, ends: string, counts: number[]]> = [
			['fails because of another item', { ...gone, times: null }, {}, 'error', [0, 3, 2, 0]],
			[
				'is tried again by n8n after a failure',
				{ ...gone, times: 1 },
				{ retryOnFail: true, maxTries: 2 },
				'success',
				[3, 0, 2, 0],
			],
			['is canceled', { kind: 'delay', ms: 20_000, times: null }, {}, 'canceled', [0, 3, 2, 0]],
		];
		for (const [how, fault, extra, ends, counts] of cases) {
			test(`loses nothing and repeats nothing where a run ${how}`, async () => {
				const forms = await rig.service.addForms({ title: 'Contact', count: 2 });
				const [form, other] = forms.map(({ id }) => id) as [string, string];
				await rig.service.addResponses(form, { count: 3 });
				await rig.service.addFault({ match: { path: `/forms/${other}/responses` }, ...fault });
				const getNew = await publishGetNew(rig, extra);
				const { status, count } = await getNew.run([form, other], async (workflowId) => {
					if (ends !== 'canceled') return;
					await eventually(async () => assert.equal((await rig.service.requests()).length, 2));
					await rig.n8n.stopExecution(await rig.n8n.lastExecutionId(workflowId));
				});
				assert.equal(status, ends);
				const found = [count, (await getNew.run([form])).count];
				await rig.service.addResponses(form, { count: 2 });
				for (let time = 1; time <= 2; time++) found.push((await getNew.run([form])).count);
				assert.deepEqual(found, counts);
			});
		}
	});

	test('hook: create and delete, and a hook already gone counts as deleted', async () => {
		const form = await rig.service.addForm('Contact');
		const targetUrl = 'https://example.com/new-response';
		const formUrl = `https://forms.example.com/f/${form.id}?x=1`;
		const formId = { __rl: true, mode: 'url', value: formUrl };
		const create = { resource: 'hook', operation: 'create', formId, targetUrl };
		const [hook] = await rig.actionOutput(create);
		const [made, ...others] = await rig.service.hooks();
		assert.deepEqual([made!.id, others], [hook!.json.id, []]);
		const remove = { resource: 'hook', operation: 'delete', hookId: hook!.json.id };
		for (let time = 1; time <= 2; time++) {
			const [item] = await rig.actionOutput(remove);
			assert.deepEqual(item!.json, { deleted: true, id: hook!.json.id });
		}
		assert.deepEqual(await rig.service.hooks(), []);
	});

	test('one bad id among three goes to the error output, paired, with its details', async () => {
		const form = await rig.service.addForm('Contact');
		const made = await rig.service.addResponses(form.id, { count: 2 });
		const [first, last] = made.map(({ data }) => data.responseId);
		const execution = await rig.runAction(
			{ operation: 'get', responseId: '={{ $json.id }}' },
			[{ id: first }, { id: NOWHERE }, { id: last }],
			{ onError: 'continueErrorOutput' },
		);
		const good = rig.n8n.nodeOutput(execution, ACTION, 0);
		assert.deepEqual(column(good, 'responseId'), [first, last]);
		const [bad, ...others] = rig.n8n.nodeOutput(execution, ACTION, 1);
		assert.deepEqual([bad!.pairedItem, others], [{ item: 1 }, []]);
		const { status, code, hint, docs, message } = bad!.json.error as Json;
		assert.deepEqual([status, code], [404, 'not_found']);
		assert.ok(hint && docs);
		assert.match(String(message), new RegExp(NOWHERE));
	});

	describe('bad input is refused before any request, naming the parameter', () => {
		const list = { operation: 'getAll', formId: byId(NOWHERE) };
		const filtered = (name: string, value: string) => ({ ...list, filters: { [name]: value } });
		const get = (responseId: string, options = {}) => ({ operation: 'get', responseId, options });
		const create = { resource: 'hook', operation: 'create', formId: byId(NOWHERE) };
		const remove = { resource: 'hook', operation: 'delete' };
		const atOnce = { maxConcurrency: '={{ 101 }}' };
		const isEmpty = (filter: string) =>
			new RegExp(`^The filter "${filter}" is empty\\. Enter a value, or remove the filter\\.$`);
		const cases: Array<[string, Json, RegExp]> = [
			['a response id of another path', get('../me'), /Response ID/],
			['an empty response id', get('={{ "" }}'), /Response ID/],
			['a form that is no UUID', { ...list, formId: byId('={{ "a/b" }}') }, /Form/],
			['a form limit of 0', { ...listForms, limit: '={{ 0 }}' }, /Limit.*at least 1/],
			['a target URL that is not http', { ...create, targetUrl: 'ftp://a.b/c' }, /Target URL/],
			['a hook id that is no UUID', { ...remove, hookId: 'x' }, /Hook ID/],
			['too many items at once', get(NOWHERE, atOnce), /Max Concurrency.*from 1 to 100/],
		];
		for (const responseLimit of [0, 26, 1.5, '={{ NaN }}']) {
			const name = `a response limit of ${responseLimit}`;
			cases.push([name, { ...list, responseLimit }, /Limit.*from 1 to 25/]);
		}
		for (const date of ['10', '={{ 45000 }}', '2026-02-30']) {
			const says = /^The filter "Completed After" is .* Enter a date such as 2026/;
			cases.push([`a date of ${date}`, filtered('completedAfter', date), says]);
		}
		for (const email of ['', ' ', '={{ $json.emial }}', '={{ null }}', '= {{ $json.emial }} ']) {
			const name = `an email of ${JSON.stringify(email)}`;
			cases.push([name, filtered('respondentEmail', email), isEmpty('Respondent Email')]);
		}
		for (const [name, parameters, message] of cases) {
			test(name, async () => {
				assert.match(await rig.actionFailure(parameters), message);
				assert.deepEqual(await rig.service.requests(), []);
			});
		}
	});

	describe('the form picker', () => {
		test('lists forms page by page, and finds one on a later page', async () => {
			await rig.service.addForms({ title: 'Form', count: 150 });
			const first = await pick('oAuth2');
			const second = await pick('oAuth2', undefined, first.paginationToken);
			assert.deepEqual([first.results.length, second.results.length], [100, 50]);
			assert.equal(second.paginationToken, undefined);
			const { results } = await pick('oAuth2', 'form 149');
			assert.partialDeepStrictEqual(results, [{ name: 'Form 149' }]);
			assert.equal(results.length, 1);
		});

		test('says why an API key has no list', async () => {
			await assert.rejects(pick('apiKey'), /By ID/);
			assert.deepEqual(await rig.service.requests(), []);
		});
	});
});
