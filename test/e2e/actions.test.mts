import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '../live/eventually.mts';
import { ACTION, node, PACKAGE } from '../live/drafts.mts';
import { openStage } from '../live/stage.mts';
import type { Stage } from '../live/stage.mts';

type Json = Record<string, unknown>;

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const NOWHERE = '00000000-0000-4000-8000-000000000000';

describe('the action node in a real n8n', () => {
	let stage: Stage;
	before(async () => void (stage = await openStage()));
	after(async () => await stage?.close());
	beforeEach(async () => {
		await stage.service.reset();
		await stage.service.forgetRequests();
	});

	/** The output items of one run, which has to succeed. */
	async function output(parameters: Json, inputs?: Json[], extra?: Json) {
		const execution = await stage.runAction(parameters, inputs, extra);
		assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
		return stage.n8n.nodeOutput(execution, ACTION);
	}

	/** The message of one run, which has to fail before any request is sent. */
	async function refusal(parameters: Json) {
		await stage.service.forgetRequests();
		const execution = await stage.runAction(parameters);
		assert.equal(execution.status, 'error');
		assert.deepEqual(await stage.service.requests(), []);
		return String(execution.data.resultData.error?.message);
	}

	const pick = async (parameters: Json, filter?: string, paginationToken?: string) =>
		await stage.n8n.resourceLocatorResults({
			nodeType: `${PACKAGE}.formResponses`,
			parameter: 'formId',
			methodName: 'searchForms',
			currentNodeParameters: parameters,
			credentials: stage.credentials,
			filter,
			paginationToken,
		});

	test('account: get', async () => {
		const [item] = await output({ resource: 'account', operation: 'get' });
		assert.equal((item!.json.user as Json).email, 'demo.user@example.com');
		const [keyItem] = await output({
			resource: 'account',
			operation: 'get',
			authentication: 'apiKey',
		});
		assert.equal(keyItem!.json.user, null);
		assert.equal(keyItem!.json.scope, 'responses:read');
	});

	test('250 forms with Return All take 3 requests, in the order of the service', async () => {
		// Older ones last, as the service lists them; two are as old as each other.
		const days = Array.from({ length: 250 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + (n % 249))));
		for (const day of days) {
			await stage.service.addForms({ title: 'Form', updatedAt: day.toISOString() });
		}
		const items = await output({ resource: 'form', operation: 'getAll', returnAll: true });
		assert.equal((await stage.service.requests()).length, 3);
		const listed = days
			.map((day) => day.toISOString())
			.sort()
			.reverse();
		assert.deepEqual(
			items.map(({ json }) => json.updatedAt),
			listed,
		);
		assert.equal(new Set(items.map(({ json }) => json.id)).size, 250);
	});

	test('a limit of 120 takes 2 requests and asks for no form too many', async () => {
		await stage.service.addForms({ title: 'Form', count: 250 });
		const items = await output({ resource: 'form', operation: 'getAll', limit: 120 });
		assert.equal(items.length, 120);
		const requests = await stage.service.requests();
		assert.deepEqual(
			requests.map(({ query }) => Number(query.limit)).sort((a, b) => a - b),
			[20, 100],
		);
	});

	test('Updated After stops at the first older form', async () => {
		const updatedAt = '2026-02-01T00:00:00.000Z';
		await stage.service.addForms({ title: 'Form', count: 250, updatedAt });
		const items = await output({
			resource: 'form',
			operation: 'getAll',
			returnAll: true,
			filters: { updatedAfter: '2026-01-31T23:59:00.500Z' },
		});
		assert.equal(items.length, 60);
		assert.equal((await stage.service.requests()).length, 1);
	});

	test('form: get finds it on any page, and says so where it is on none', async () => {
		const [form] = await stage.service.addForms({
			title: 'Old',
			updatedAt: '2026-01-01T00:00:00Z',
		});
		await stage.service.addForms({ title: 'Form', count: 120 });
		const get = { resource: 'form', operation: 'get', formId: byId(form!.id.toUpperCase()) };
		const [item, ...others] = await output(get);
		assert.deepEqual([item!.json.id, item!.json.title, others], [form!.id, 'Old', []]);
		assert.equal((await stage.service.requests()).length, 2);
		const extra = { onError: 'continueErrorOutput' };
		const execution = await stage.runAction({ ...get, formId: byId(NOWHERE) }, [{}], extra);
		const [{ json }] = stage.n8n.nodeOutput(execution, ACTION, 1) as [{ json: Json }];
		const message = `Could not read form ${NOWHERE}: the form was deleted or belongs to another workspace. Check its ID, and the workspace of the credential.`;
		const error = { message, status: 404, code: 'not_found', hint: null, docs: null };
		assert.deepEqual(json.error, error);
	});

	test('title filter finds forms on any page', async () => {
		await stage.service.addForms({ title: 'Form', count: 250 });
		const filters = { titleContains: 'FORM 25' };
		const items = await output({ resource: 'form', operation: 'getAll', returnAll: true, filters });
		assert.deepEqual(items.map(({ json }) => json.title).sort(), ['Form 25', 'Form 250']);
	});

	test('filters take numbers that expressions give', async () => {
		await stage.service.addForms({ title: 'Form', count: 25 });
		const list = { resource: 'form', operation: 'getAll', returnAll: true };
		const found = await output({ ...list, filters: { titleContains: '={{ 25 }}' } });
		assert.deepEqual(
			found.map(({ json }) => json.title),
			['Form 25'],
		);
		assert.deepEqual(await output({ ...list, filters: { status: '={{ 1 }}' } }), []);
		const formId = byId(String(found[0]!.json.id));
		await stage.service.addResponses(String(found[0]!.json.id), {});
		const filters = { respondentEmail: '={{ 2 }}' };
		assert.deepEqual(await output({ operation: 'getAll', formId, filters }), []);
	});

	test('one form without a title hides no other', async () => {
		const [odd, plain] = [crypto.randomUUID(), crypto.randomUUID()];
		const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
		const data = [
			{ id: odd, title: null, status: null, ...times },
			{ id: plain, title: 'Contact', status: 'published', ...times },
		];
		await stage.service.addFault({
			match: { path: '/forms' },
			kind: 'status',
			status: 200,
			times: null,
			body: { data, nextCursor: null },
		});
		const list = { resource: 'form', operation: 'getAll' };
		const ids = async (parameters: Json) => (await output(parameters)).map(({ json }) => json.id);
		assert.deepEqual(await ids(list), [odd, plain]);
		assert.deepEqual(await ids({ ...list, filters: { titleContains: 'CON' } }), [plain]);
		const { results } = await pick({ authentication: 'oAuth2' });
		assert.deepEqual(
			results.map(({ name }) => name),
			[`Untitled (…${odd.slice(-6)})`, 'Contact'],
		);
	});

	describe('what the newest 25 responses cannot show', () => {
		const longAgo = { completedBefore: '2020-01-01' };
		const cases: Array<[says: string, count: number, Json, items: number, isHint: boolean]> = [
			['none of 25 is as old as what is looked for', 25, { filters: longAgo }, 0, true],
			['none of 24 is as old as what is looked for', 24, { filters: longAgo }, 0, false],
			['all 25 are asked for', 25, { responseLimit: 25 }, 25, true],
			['10 of 25 are asked for', 25, {}, 10, false],
			['the oldest is too old', 25, { filters: { completedAfter: '={{ $now }}' } }, 0, false],
		];
		for (const [says, count, parameters, items, isHint] of cases) {
			test(`${isHint ? 'a hint' : 'no hint'} where ${says}`, async () => {
				const form = await stage.service.addForm('Contact');
				await stage.service.addResponses(form.id, { count });
				const get = { operation: 'getAll', formId: byId(form.id), ...parameters };
				const execution = await stage.runAction(get);
				assert.equal(stage.n8n.nodeOutput(execution, ACTION).length, items);
				const [run] = execution.data.resultData.runData[ACTION]!;
				const hints = ((run as { hints?: Array<{ message: string }> }).hints ?? []).map(
					({ message }) => /out of its reach/.test(message),
				);
				assert.deepEqual(hints, isHint ? [true] : []);
			});
		}
	});

	test('the options of a simplified response also hold where Simplify is an expression', async () => {
		const form = await stage.service.addForm('Contact');
		const hiddenFields = { Name: 'hidden', campaign: 'spring' };
		const answers = { Name: 'Ada', Email: 'ada@example.com', Message: 'Hi' };
		await stage.service.addResponses(form.id, { answers, hiddenFields });
		const options = { flattenAnswers: true, include: ['createdAt', 'answerTypes'] };
		const get = { operation: 'getAll', formId: byId(form.id), options };
		for (const simplify of [true, '={{ true }}', '={{ "true" }}']) {
			const [item] = await output({ ...get, simplify });
			assert.deepEqual(Object.keys(item!.json), [
				...Object.keys(answers),
				'responseId',
				'formId',
				'formTitle',
				'respondentEmail',
				'completedAt',
				'Name (2)',
				'campaign',
				'answerTypes',
				'createdAt',
			]);
		}
		const [whole] = await output({ ...get, simplify: '={{ "false" }}' });
		assert.deepEqual(Object.keys(whole!.json), ['event', 'createdAt', 'data']);
	});

	test('25 responses come newest first, with an API key too', async () => {
		const form = await stage.service.addForm('Contact');
		const made = await stage.service.addResponses(form.id, { count: 30 });
		const newest = made
			.map(({ data }) => data)
			.sort((a, b) => b.completedAt.localeCompare(a.completedAt))
			.slice(0, 25)
			.map(({ responseId }) => responseId);
		for (const authentication of ['oAuth2', 'apiKey']) {
			const items = await output({
				authentication,
				operation: 'getAll',
				formId: byId(form.id),
				responseLimit: 25,
			});
			assert.deepEqual(
				items.map(({ json }) => json.responseId),
				newest,
			);
		}
	});

	test('answers are keyed by label, and none is lost', async () => {
		const form = await stage.service.addForm('Contact');
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
		const [made] = await stage.service.addResponses(form.id, { answers });
		const get = { operation: 'get', responseId: made!.data.responseId };
		const [simple] = await output(get);
		assert.deepEqual(Object.entries(simple!.json.answers as Json), [
			['Name', '1'],
			['Name (2)', '2'],
			['Name (2) (2)', '3'],
			['__proto__', '4'],
			['שם 🙂', '5'],
		]);
		const options = { answerKeys: 'fieldId', answerValues: 'rawValue' };
		const [raw] = await output({ ...get, options });
		assert.deepEqual((raw!.json.answers as Json)['field-5'], { raw: '5' });
		const [whole] = await output({ ...get, simplify: false });
		assert.deepEqual(whole!.json, made);
	});

	test('Get New in a manual run shows the newest, oldest first, and remembers nothing', async () => {
		const form = await stage.service.addForm('Contact');
		const made = await stage.service.addResponses(form.id, { count: 3 });
		const parameters = { operation: 'getNew', formId: byId(form.id), authentication: 'apiKey' };
		for (let time = 1; time <= 2; time++) {
			assert.deepEqual(
				(await output(parameters)).map(({ json }) => json.responseId),
				made.map(({ data }) => data.responseId),
			);
		}
	});

	describe('Get New in production', () => {
		const link = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });

		/** Publishes it behind a webhook; gives what runs it once for some forms, one after the other. */
		async function publishGetNew(extra: Json = {}) {
			const path = crypto.randomUUID();
			const hook = node(
				'Hook',
				'n8n-nodes-base.webhook',
				{ path, httpMethod: 'GET', options: {} },
				{ typeVersion: 2, webhookId: crypto.randomUUID() },
			);
			const jsCode = `return $input.first().json.query.forms.split(',').map((form) => ({ json: { form } }));`;
			const forms = node('Forms', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 });
			const getNew = node(
				ACTION,
				`${PACKAGE}.formResponses`,
				{
					operation: 'getNew',
					formId: byId('={{ $json.form }}'),
					authentication: 'apiKey',
					// So that a form has been read when something happens to the next.
					options: { maxConcurrency: 1 },
				},
				{ credentials: stage.credentials, ...extra },
			);
			const workflow = await stage.n8n.createWorkflow({
				name: 'Get New',
				nodes: [hook, forms, getNew],
				connections: { Hook: link('Forms'), Forms: link(ACTION) },
			});
			await stage.n8n.publish(workflow.id);
			async function runOnce(ids: string[], whileRunning?: (workflowId: string) => Promise<void>) {
				const after = await stage.n8n.lastExecutionId(workflow.id);
				await fetch(`${stage.instance.url}/webhook/${path}?forms=${ids.join(',')}`);
				await whileRunning?.(workflow.id);
				const execution = await stage.n8n.waitForExecution(workflow.id, { after });
				return { execution, count: stage.n8n.nodeOutput(execution, ACTION).length };
			}
			return runOnce;
		}

		test('returns each response once', async () => {
			const form = await stage.service.addForm('Contact');
			await stage.service.addResponses(form.id, { count: 3 });
			const getNew = await publishGetNew();
			const counts: number[] = [];
			for (const more of [0, 2, 0]) {
				if (more) await stage.service.addResponses(form.id, { count: more });
				counts.push((await getNew([form.id])).count);
			}
			assert.deepEqual(counts, [3, 2, 0]);
		});

		test('loses nothing where the run fails because of another item', async () => {
			const form = await stage.service.addForm('Contact');
			await stage.service.addResponses(form.id, { count: 3 });
			const getNew = await publishGetNew();
			const { execution } = await getNew([form.id, NOWHERE]);
			assert.equal(execution.status, 'error');
			assert.deepEqual([(await getNew([form.id])).count, (await getNew([form.id])).count], [3, 0]);
		});

		test('loses nothing where n8n tries a node again that failed', async () => {
			const [form, other] = await stage.service.addForms({ title: 'Contact', count: 2 });
			await stage.service.addResponses(form!.id, { count: 3 });
			const match = { path: `/forms/${other!.id}/responses` };
			await stage.service.addFault({ match, kind: 'status', status: 404, times: 1 });
			const getNew = await publishGetNew({ retryOnFail: true, maxTries: 2 });
			const { execution, count } = await getNew([form!.id, other!.id]);
			const statuses = (await stage.service.requests()).map(({ status }) => status);
			assert.deepEqual(statuses, [200, 404, 200, 200]);
			assert.deepEqual([execution.status, count], ['success', 3]);
			assert.equal((await getNew([form!.id])).count, 0);
		});

		test('loses nothing where the run is canceled', async () => {
			const [form, slow] = await stage.service.addForms({ title: 'Contact', count: 2 });
			await stage.service.addResponses(form!.id, { count: 3 });
			const match = { path: `/forms/${slow!.id}/responses` };
			const fault = await stage.service.addFault({ match, kind: 'delay', ms: 20_000, times: null });
			const getNew = await publishGetNew();
			const { execution } = await getNew([form!.id, slow!.id], async (workflowId) => {
				await eventually(async () => assert.equal((await stage.service.requests()).length, 2));
				await stage.n8n.stopExecution(await stage.n8n.lastExecutionId(workflowId));
			});
			assert.equal(execution.status, 'canceled');
			await stage.service.removeFault(fault);
			assert.deepEqual(
				[(await getNew([form!.id])).count, (await getNew([form!.id])).count],
				[3, 0],
			);
		});
	});

	test('hook: create and delete, and a hook already gone counts as deleted', async () => {
		const form = await stage.service.addForm('Contact');
		const targetUrl = 'https://example.com/new-response';
		const [hook] = await output({
			resource: 'hook',
			operation: 'create',
			formId: { __rl: true, mode: 'url', value: `https://forms.example.com/f/${form.id}?x=1` },
			targetUrl,
		});
		assert.deepEqual(
			(await stage.service.hooks()).map(({ id }) => id),
			[hook!.json.id],
		);
		const remove = { resource: 'hook', operation: 'delete', hookId: hook!.json.id };
		for (let time = 1; time <= 2; time++) {
			const [item] = await output(remove);
			assert.deepEqual(item!.json, { deleted: true, id: hook!.json.id });
		}
		assert.deepEqual(await stage.service.hooks(), []);
	});

	describe('one bad id among three items', () => {
		const parameters = { operation: 'get', responseId: '={{ $json.id }}' };
		let inputs: Json[];
		beforeEach(async () => {
			const form = await stage.service.addForm('Contact');
			const made = await stage.service.addResponses(form.id, { count: 2 });
			const [first, last] = made.map(({ data }) => data.responseId);
			inputs = [{ id: first }, { id: NOWHERE }, { id: last }];
		});

		test('goes to the error output, paired, with status, code, hint and docs', async () => {
			const extra = { onError: 'continueErrorOutput' };
			const execution = await stage.runAction(parameters, inputs, extra);
			const good = stage.n8n.nodeOutput(execution, ACTION, 0);
			const bad = stage.n8n.nodeOutput(execution, ACTION, 1);
			assert.deepEqual(
				good.map(({ json }) => json.responseId),
				[inputs[0]!.id, inputs[2]!.id],
			);
			assert.equal(bad.length, 1);
			assert.deepEqual(bad[0]!.pairedItem, { item: 1 });
			const error = bad[0]!.json.error as Json;
			assert.equal(error.status, 404);
			assert.equal(error.code, 'not_found');
			assert.ok(error.hint && error.docs);
			assert.match(String(error.message), new RegExp(NOWHERE));
		});

		test('stays in place in the regular output', async () => {
			const items = await output(parameters, inputs, { onError: 'continueRegularOutput' });
			assert.deepEqual(
				items.map(({ json, pairedItem }) => [json.responseId ?? 'error', pairedItem]),
				[
					[inputs[0]!.id, { item: 0 }],
					['error', { item: 1 }],
					[inputs[2]!.id, { item: 2 }],
				],
			);
		});

		test('stops the run otherwise, naming the item', async () => {
			const execution = await stage.runAction(parameters, inputs);
			assert.equal(execution.status, 'error');
			const { error } = execution.data.resultData as { error?: { context?: Json } };
			assert.equal(error?.context?.itemIndex, 1);
		});
	});

	describe('what concerns all items', () => {
		const inputs = [{ n: 1 }, { n: 2 }, { n: 3 }];

		for (const [name, options, isWrong, says] of [
			['a wrong option', { maxConcurrency: 999 }, false, /"Max Concurrency"/],
			['a wrong credential', {}, true, /^The Base URL of the credential must be/],
		] as const) {
			test(`${name} gives an error item for each, and no input leaves as a success`, async () => {
				const wrong = await stage.n8n.createCredential({
					name: 'Wrong address',
					type: 'formResponsesApi',
					data: { baseUrl: 'forms.example.com', apiKey: 'live_playground_key' },
				});
				const formResponsesApi = isWrong
					? { id: wrong.id, name: wrong.name }
					: stage.credentials.formResponsesApi;
				const execution = await stage.runAction(
					{ resource: 'account', operation: 'get', authentication: 'apiKey', options },
					inputs,
					{ onError: 'continueErrorOutput', credentials: { formResponsesApi } },
				);
				assert.deepEqual(stage.n8n.nodeOutput(execution, ACTION, 0), []);
				const bad = stage.n8n.nodeOutput(execution, ACTION, 1);
				assert.deepEqual(
					bad.map(({ pairedItem }) => pairedItem),
					[{ item: 0 }, { item: 1 }, { item: 2 }],
				);
				for (const { json } of bad) assert.match(String((json.error as Json).message), says);
			});
		}
	});

	test('forms with an API key: one message that says what to do', async () => {
		const execution = await stage.runAction({
			authentication: 'apiKey',
			resource: 'form',
			operation: 'getAll',
		});
		const message = String(execution.data.resultData.error?.message);
		assert.match(message, /API key can only read responses/);
		assert.match(message, /OAuth2/);
		assert.equal((await stage.service.requests()).length, 1);
	});

	describe('bad input is refused before any request, naming the parameter', () => {
		const cases: Array<[string, Json, RegExp]> = [
			['a response id of another path', { operation: 'get', responseId: '../me' }, /Response ID/],
			['an empty response id', { operation: 'get', responseId: '={{ "" }}' }, /Response ID/],
			['a form that is no UUID', { operation: 'getAll', formId: byId('={{ "a/b" }}') }, /Form/],
			...[0, 26, 1.5, '={{ NaN }}'].map((responseLimit): [string, Json, RegExp] => [
				`a response limit of ${responseLimit}`,
				{ operation: 'getAll', formId: byId(NOWHERE), responseLimit },
				/Limit.*from 1 to 25/,
			]),
			[
				'a form limit of 0',
				{ resource: 'form', operation: 'getAll', limit: '={{ 0 }}' },
				/Limit.*at least 1/,
			],
			[
				'a date that is none',
				{ resource: 'form', operation: 'getAll', filters: { updatedAfter: 'yesterdayish' } },
				/Updated After/,
			],
			...['10', '={{ 45000 }}', '2026-02-30'].map((completedAfter): [string, Json, RegExp] => [
				`a date of ${completedAfter}`,
				{ operation: 'getAll', formId: byId(NOWHERE), filters: { completedAfter } },
				/^The filter "Completed After" is .* Enter a date such as 2026/,
			]),
			...['', ' ', '={{ $json.emial }}', '={{ null }}', '= {{ $json.emial }} '].flatMap((value) =>
				(
					[
						['response', 'respondentEmail', 'Respondent Email'],
						['response', 'completedBefore', 'Completed Before'],
						['form', 'titleContains', 'Title Contains'],
					] as const
				).map(([resource, name, shown]): [string, Json, RegExp] => [
					`${shown} ${JSON.stringify(value)}`,
					{ resource, operation: 'getAll', formId: byId(NOWHERE), filters: { [name]: value } },
					new RegExp(`^The filter "${shown}" is empty\\. Enter a value, or remove the filter\\.$`),
				]),
			),
			[
				'a target URL that is not http',
				{ resource: 'hook', operation: 'create', formId: byId(NOWHERE), targetUrl: 'ftp://a.b/c' },
				/Target URL/,
			],
			[
				'a hook id that is no UUID',
				{ resource: 'hook', operation: 'delete', hookId: 'x' },
				/Hook ID/,
			],
			[
				'too many items at once',
				{ operation: 'get', responseId: NOWHERE, options: { maxConcurrency: '={{ 101 }}' } },
				/Max Concurrency.*from 1 to 100/,
			],
		];
		for (const [name, parameters, message] of cases) {
			test(name, async () => assert.match(await refusal(parameters), message));
		}
	});

	describe('the form picker', () => {
		test('lists forms page by page', async () => {
			await stage.service.addForms({ title: 'Form', count: 150 });
			const first = await pick({ authentication: 'oAuth2' });
			const second = await pick({ authentication: 'oAuth2' }, undefined, first.paginationToken);
			assert.equal(first.results.length, 100);
			assert.equal(second.results.length, 50);
			assert.equal(second.paginationToken, undefined);
		});

		test('finds a form on a later page', async () => {
			await stage.service.addForms({ title: 'Form', count: 150 });
			const { results } = await pick({ authentication: 'oAuth2' }, 'form 149');
			assert.deepEqual(
				results.map(({ name }) => name),
				['Form 149'],
			);
		});

		test('tells forms with the same title apart, also on different pages', async () => {
			const titles = ['Survey', ...Array<string>(99).fill('Poll'), 'Survey', 'Contact'];
			for (const [n, title] of titles.entries()) {
				const updatedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, -n)).toISOString();
				await stage.service.addForms({ title, updatedAt });
			}
			const first = await pick({ authentication: 'oAuth2' });
			const second = await pick({ authentication: 'oAuth2' }, undefined, first.paginationToken);
			const names = [...first.results, ...second.results].map(({ name }) => name);
			assert.equal(new Set(names).size, titles.length);
			assert.equal(names[0], 'Survey');
			assert.match(names[100]!, /^Survey \(…[0-9a-f]{6}\)$/);
			assert.equal(names[101], 'Contact');
		});

		test('says why an API key has no list', async () => {
			await assert.rejects(pick({ authentication: 'apiKey' }), /By ID/);
			assert.deepEqual(await stage.service.requests(), []);
		});
	});
});
