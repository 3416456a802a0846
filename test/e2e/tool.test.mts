import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { isOlderThan } from '../../playground/n8n/version.mts';
import { startModel } from './model.mts';
import type { Model, Tool, ToolCall } from './model.mts';
import type { Envelope, Form } from '../live/service.mts';
import { node, PACKAGE } from '../live/drafts.mts';
import { hasNoSecret } from '../live/no-secret.mts';
import { openStage } from '../live/stage.mts';
import type { Stage } from '../live/stage.mts';

type Json = Record<string, unknown>;

const AGENT = 'AI Agent';
const NOWHERE = '00000000-0000-4000-8000-000000000000';

// n8n-core, workflow-execute.ts of 1.123.81 and 2.20.12; no longer in 2.33.7.
const aThrowEndsTheRun =
	isOlderThan('2.33') &&
	'n8n ends the run of an AI agent when a tool fails, unless the tool has On Error set to "Continue"';

/** What the model fills in. */
const ARGUMENTS = {
	formId: { type: 'string', description: 'The ID of a form' },
	hookId: { type: 'string', description: 'The ID of a hook' },
	limit: { type: 'number', description: 'How many responses, from 1 to 25' },
	responseId: { type: 'string', description: 'The ID of a response' },
	targetUrl: { type: 'string', description: 'Where new responses are to be sent' },
	title: { type: 'string', description: 'A part of the title of the form' },
};
type Argument = keyof typeof ARGUMENTS;

const fromAI = (name: Argument) =>
	`={{ $fromAI('${name}', '${ARGUMENTS[name].description}', '${ARGUMENTS[name].type}') }}`;
const formId = { __rl: true, mode: 'id', value: fromAI('formId') };

const TOOLS: Array<[says: string, resource: string, operation: string, Json, Argument[]]> = [
	['Get the account', 'account', 'get', {}, []],
	['Get a form', 'form', 'get', { formId }, ['formId']],
	['Get many forms', 'form', 'getAll', { filters: { titleContains: fromAI('title') } }, ['title']],
	[
		'Create a hook',
		'hook',
		'create',
		{ formId, targetUrl: fromAI('targetUrl') },
		['formId', 'targetUrl'],
	],
	['Delete a hook', 'hook', 'delete', { hookId: fromAI('hookId') }, ['hookId']],
	['Get a response', 'response', 'get', { responseId: fromAI('responseId') }, ['responseId']],
	[
		'Get many responses',
		'response',
		'getAll',
		{ formId, responseLimit: fromAI('limit') },
		['formId', 'limit'],
	],
	['Get new responses', 'response', 'getNew', { formId }, ['formId']],
];

const toolName = (says: string) => `${says} in Form Responses`.replaceAll(' ', '_');
const call = (says: string, given: Json = {}): ToolCall => ({
	name: toolName(says),
	arguments: given,
});

interface OperationField {
	name: string;
	displayOptions: { show: { resource: string[] } };
	options: Array<{ value: string; action: string }>;
}

describe('the action node as a tool of the AI Agent in a real n8n', () => {
	let stage: Stage;
	let model: Model;
	let openAiApi: { id: string; name: string };
	/** By resource and operation, as the editor names a new tool. */
	let names: Map<string, string>;
	let form: Form;
	let made: Envelope[];
	/** The executions of a test, and what the model was sent in them. */
	const recorded: unknown[] = [];
	before(async () => {
		model = await startModel();
		stage = await openStage();
		const data = { apiKey: 'sk-stand-in', url: model.baseUrl, header: false };
		openAiApi = await stage.n8n.createCredential({ name: 'Model', type: 'openAiApi', data });
		names = await editorNames();
	});
	after(async () => {
		await stage?.close();
		await model?.close();
	});
	beforeEach(async () => {
		await stage.service.reset();
		form = await stage.service.addForm('Contact');
		made = await stage.service.addResponses(form.id, { count: 3 });
		await stage.service.forgetRequests();
	});

	afterEach(async function noSecretCanBeRead() {
		await hasNoSecret(recorded.splice(0), stage.service);
	});

	async function editorNames() {
		const { session } = stage.n8n;
		const answer = await session.open(`${session.url}/types/nodes.json`);
		const types = (await answer.json()) as Array<Json & { properties: OperationField[] }>;
		const { properties, defaults } = types.find(
			({ name }) => name === `${PACKAGE}.formResponsesTool`,
		)!;
		// As n8n-workflow does it in node-helpers.ts, makeNodeName.
		return new Map(
			properties
				.filter(({ name }) => name === 'operation')
				.flatMap(({ displayOptions, options }) =>
					options
						// n8n adds an option of its own, for calls of the HTTP Request node.
						.filter(({ value }) => value !== '__CUSTOM_API_CALL__')
						.map(({ value, action }) => [
							`${displayOptions.show.resource.join()} ${value}`,
							`${action} in ${String((defaults as Json).name)}`,
						]),
				),
		);
	}

	/** One run in which the model makes the calls, one after the other; gives what it hears of each. */
	async function run(calls: ToolCall[], parameters: Json = {}, extra: Json = {}) {
		model.willCall(...calls);
		const tools = TOOLS.map(([, resource, operation, own]) =>
			node(
				names.get(`${resource} ${operation}`)!,
				`${PACKAGE}.formResponsesTool`,
				{ resource, operation, ...own, ...parameters },
				{ credentials: stage.credentials, ...extra },
			),
		);
		const start = node('Start', 'n8n-nodes-base.manualTrigger', {});
		const agent = node(
			AGENT,
			'@n8n/n8n-nodes-langchain.agent',
			{ promptType: 'define', text: 'Look after the forms.', options: {} },
			{ typeVersion: 3 },
		);
		const chatModel = node(
			'Model',
			'@n8n/n8n-nodes-langchain.lmChatOpenAi',
			{ model: { __rl: true, mode: 'id', value: 'stand-in' }, options: {} },
			{ typeVersion: 1.2, credentials: { openAiApi } },
		);
		const toAgent = (type: string) => ({ [type]: [[{ node: AGENT, type, index: 0 }]] });
		const workflow = await stage.n8n.createWorkflow({
			name: `Tools ${crypto.randomUUID()}`,
			nodes: [start, agent, chatModel, ...tools],
			connections: {
				Start: toAgent('main'),
				Model: toAgent('ai_languageModel'),
				...Object.fromEntries(tools.map(({ name }) => [name, toAgent('ai_tool')])),
			},
			// As in each workflow of the editor: in the older order, the agent goes on before its tools end.
			settings: { executionOrder: 'v1' },
		});
		await stage.n8n.runManually(workflow.id, { triggerToStartFrom: 'Start' });
		const execution = await stage.n8n.waitForExecution(workflow.id, { timeoutMs: 60_000 });
		recorded.push(execution, ...model.requests);
		assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
		assert.equal(stage.n8n.nodeOutput(execution, AGENT)[0]?.json.output, 'Done.');
		const heard = model.requests
			.at(-1)!
			.messages.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
		assert.equal(heard.length, calls.length);
		return heard;
	}

	async function items(says: string, given?: Json): Promise<Json[]> {
		const [heard] = await run([call(says, given)]);
		return JSON.parse(heard!);
	}

	describe('the model is told', () => {
		let told: Tool[];
		before(async () => {
			await run([]);
			told = model.requests[0]!.tools!.map((tool) => tool.function);
		});

		test('of every operation that the node has', () => {
			assert.deepEqual(
				TOOLS.map(([, resource, operation]) => `${resource} ${operation}`).sort(),
				[...names.keys()].sort(),
			);
			assert.equal(new Set(told.map(({ name }) => name)).size, TOOLS.length);
			assert.equal(new Set(told.map(({ description }) => description)).size, TOOLS.length);
		});

		for (const [says, , , , wanted] of TOOLS) {
			test(`${says}, and what this needs`, () => {
				const tool = told.find(({ name }) => name === toolName(says));
				assert.ok(tool, `none of ${told.map(({ name }) => name).join(', ')}`);
				assert.equal(tool.description, `${says} in Form Responses`);
				assert.deepEqual(
					tool.parameters.properties,
					Object.fromEntries(wanted.map((name) => [name, ARGUMENTS[name]])),
				);
				assert.deepEqual(tool.parameters.required ?? [], wanted);
			});
		}
	});

	describe('the model gets', () => {
		test('the account', async () => {
			const [account] = await items('Get the account');
			assert.equal((account!.user as Json).email, 'demo.user@example.com');
			assert.equal((account!.workspace as Json).name, 'Playground');
		});

		test('the forms that it looks for', async () => {
			await stage.service.addForm('Survey');
			const forms = await items('Get many forms', { title: 'cont' });
			assert.deepEqual(
				forms.map(({ id, title }) => [id, title]),
				[[form.id, 'Contact']],
			);
		});

		test('one form by its ID', async () => {
			const forms = await items('Get a form', { formId: form.id });
			assert.deepEqual(
				forms.map(({ id, title }) => [id, title]),
				[[form.id, 'Contact']],
			);
		});

		test('the hook that it makes, and that it is gone once deleted', async () => {
			const targetUrl = 'https://example.com/new-response';
			const [hook] = await items('Create a hook', { formId: form.id, targetUrl });
			assert.deepEqual(
				(await stage.service.hooks()).map(({ id }) => id),
				[hook!.id],
			);
			assert.deepEqual([hook!.formId, hook!.targetUrl], [form.id, targetUrl]);
			const gone = await items('Delete a hook', { hookId: hook!.id });
			assert.deepEqual(gone, [{ deleted: true, id: hook!.id }]);
			assert.deepEqual(await stage.service.hooks(), []);
		});

		test('a response with its answers by label', async () => {
			const { responseId } = made[1]!.data;
			const [response, ...others] = await items('Get a response', { responseId });
			assert.equal(response!.responseId, responseId);
			assert.deepEqual(response!.answers, {
				Name: 'Name 2',
				Email: 'respondent2@example.com',
				Message: 'Message 2',
			});
			assert.deepEqual(others, []);
		});

		for (const [says, given, numbers] of [
			['Get many responses', { limit: 2 }, [3, 2]],
			['Get new responses', {}, [1, 2, 3]],
		] as const) {
			test(`${says}: in order, with their answers`, async () => {
				const responses = await items(says, { formId: form.id, ...given });
				assert.deepEqual(
					responses.map(({ responseId, answers }) => [responseId, (answers as Json).Message]),
					numbers.map((n) => [made[n - 1]!.data.responseId, `Message ${n}`]),
				);
			});
		}

		test('no error where a form has no responses', async () => {
			const empty = await stage.service.addForm('Empty');
			const [heard] = await run([call('Get many responses', { formId: empty.id, limit: 5 })]);
			assert.doesNotMatch(heard!, /error/i);
		});

		test('25 responses of 5 short answers in 8,000 characters', async () => {
			const given = {
				Name: 'Ada Lovelace',
				City: 'London',
				Age: '36',
				Rating: 'Good',
				Comment: 'I liked it',
			};
			const [feedback] = await stage.service.addForms({
				title: 'Feedback',
				fields: Object.keys(given).map((label) => ({ label })),
			});
			await stage.service.addResponses(feedback!.id, { count: 25, answers: given });
			const [heard] = await run([call('Get many responses', { formId: feedback!.id, limit: 25 })]);
			const responses: Json[] = JSON.parse(heard!);
			assert.equal(responses.length, 25);
			for (const { answers } of responses) assert.deepEqual(answers, given);
			assert.ok(heard!.length <= 8_000, `${heard!.length} characters`);
		});
	});

	for (const [how, skip, setting] of [
		['thrown', aThrowEndsTheRun, {}],
		['given as an item', false, { onError: 'continueRegularOutput' }],
	] as const) {
		describe(`an error ${how} tells the model what is wrong and the way out`, () => {
			const getResponse = () => call('Get a response', { responseId: made[0]!.data.responseId });

			const messageOf = (heard: string) => {
				const [{ error }] = JSON.parse(heard);
				return String(error.message ?? error);
			};

			/** What the model hears of a call that fails. */
			async function failure(toolCall: ToolCall, parameters?: Json, extra?: Json) {
				const [heard] = await run([toolCall], parameters, { ...setting, ...extra });
				return messageOf(heard!);
			}

			test('of a response that does not exist, and the run goes on', { skip }, async () => {
				const calls = [call('Get a response', { responseId: NOWHERE }), getResponse()];
				const [first, second] = await run(calls, {}, setting);
				const message = messageOf(first!);
				assert.match(message, new RegExp(`^Could not read response ${NOWHERE}`));
				assert.match(message, /was deleted or belongs to another workspace/);
				assert.match(message, /Check its ID, and the workspace of the credential/);
				assert.equal(JSON.parse(second!)[0].responseId, made[0]!.data.responseId);
			});

			test('of an ID that is none, without a request', { skip }, async () => {
				const message = await failure(call('Get a response', { responseId: 'the last one' }));
				assert.match(message, /"Response ID" is "the last one"\. Enter a UUID such as/);
				assert.deepEqual(await stage.service.requests(), []);
			});

			test('of a form that is named rather than given by its ID', { skip }, async () => {
				const given = { formId: 'Contact', limit: 5 };
				const message = await failure(call('Get many responses', given));
				assert.match(message, /"Form" is "Contact".*its ID \(a UUID\)/);
				assert.deepEqual(await stage.service.requests(), []);
			});

			test('of more responses than the API gives', { skip }, async () => {
				const message = await failure(call('Get many responses', { formId: form.id, limit: 100 }));
				assert.match(message, /"Limit" is "?100"?\. Enter a whole number from 1 to 25/);
			});

			test('of a filter that it leaves empty, without a request', { skip }, async () => {
				const message = await failure(call('Get many forms', { title: '' }));
				assert.match(message, /^The filter "Title Contains" is empty\. Enter a value, or remove/);
				assert.deepEqual(await stage.service.requests(), []);
			});

			test('of a key that the service does not know', { skip }, async () => {
				const wrong = await stage.n8n.createCredential({
					name: 'Wrong key',
					type: 'formResponsesApi',
					data: { baseUrl: stage.service.baseUrl, apiKey: 'live_wrong_key' },
				});
				const credentials = { formResponsesApi: { id: wrong.id, name: wrong.name } };
				const message = await failure(getResponse(), { authentication: 'apiKey' }, { credentials });
				assert.match(message, /does not accept the API key\. Check the API Key of the credential/);
			});

			test('of an API key where OAuth2 is needed', { skip }, async () => {
				const forms = call('Get many forms', { title: 'Contact' });
				const message = await failure(forms, { authentication: 'apiKey' });
				assert.match(message, /API key can only read responses.*Use an OAuth2 credential instead/);
			});

			test('but no key, even where the service echoes it', { skip }, async () => {
				const bad = 'bad live_playground_key';
				await stage.service.addFault({
					match: { path: '/responses' },
					kind: 'status',
					status: 400,
					times: null,
					body: { error: bad, code: 'invalid_request', message: bad, hint: bad, docs: bad },
				});
				const message = await failure(getResponse(), { authentication: 'apiKey' });
				assert.match(message, /^Could not read response .*bad \*\*\*/);
			});
		});
	}
});
