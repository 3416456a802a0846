import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { isOlderThan } from '../../../playground/n8n/version.mts';
import type { Envelope, Form } from '../../../playground/service/client.mts';
import { startModel, type Tool, type ToolCall } from '../kit/language-model.mts';
import { hasNoSecret } from '../kit/no-secret.mts';
import { sharedBySuite } from '../kit/shared-by-suite.mts';
import { useRig } from '../kit/real-n8n.mts';
import { byId, node, NOWHERE, PACKAGE } from '../kit/workflow-nodes.mts';
import { succeeded } from '../kit/workflows.mts';

type Json = Record<string, unknown>;

const AGENT = 'AI Agent';

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
const formId = byId(fromAI('formId'));

const hookFor = { formId, targetUrl: fromAI('targetUrl') };
const newest = { formId, responseLimit: fromAI('limit') };

const TOOLS: Array<[says: string, resource: string, operation: string, Json, Argument[]]> = [
	['Get the account', 'account', 'get', {}, []],
	['Get a form', 'form', 'get', { formId }, ['formId']],
	['Get many forms', 'form', 'getAll', { filters: { titleContains: fromAI('title') } }, ['title']],
	['Create a hook', 'hook', 'create', hookFor, ['formId', 'targetUrl']],
	['Delete a hook', 'hook', 'delete', { hookId: fromAI('hookId') }, ['hookId']],
	['Get a response', 'response', 'get', { responseId: fromAI('responseId') }, ['responseId']],
	['Get many responses', 'response', 'getAll', newest, ['formId', 'limit']],
	['Get new responses', 'response', 'getNew', { formId }, ['formId']],
];

const toolName = (says: string) => `${says} in Form Responses`.replaceAll(' ', '_');
const call = (says: string, given: Json = {}): ToolCall => ({
	name: toolName(says),
	arguments: given,
});

const list = (given: Json) => call('Get many responses', given);

describe('the action node as a tool of the AI Agent in a real n8n', () => {
	const model = sharedBySuite(startModel);
	const rig = useRig();
	let openAiApi: Credential;
	let form: Form;
	let made: Envelope[];
	/** The executions of a test, and what the model was sent in them. */
	const recorded: unknown[] = [];
	before(async () => void (openAiApi = await rig.n8n.createCredential(model.credential)));
	beforeEach(async () => {
		await rig.service.reset();
		form = await rig.service.addForm('Contact');
		made = await rig.service.addResponses(form.id, { count: 3 });
		await rig.service.forgetRequests();
	});

	afterEach(async function noSecretCanBeRead() {
		await hasNoSecret(recorded.splice(0), rig.service);
	});

	/** One run in which the model makes the calls, one after the other; gives what it hears of each. */
	async function run(calls: ToolCall[], parameters: Json = {}, extra: Json = {}) {
		model.willCall(...calls);
		const tools = TOOLS.map(([says, resource, operation, own]) => ({
			// As the editor names it (n8n-workflow, node-helpers.ts, makeNodeName).
			...rig.actionNode({ resource, operation, ...own, ...parameters }, extra),
			name: `${says} in Form Responses`,
			type: `${PACKAGE}.formResponsesTool`,
		}));
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
			{ model: byId('stand-in'), options: {} },
			{ typeVersion: 1.2, credentials: { openAiApi } },
		);
		const toAgent = (type: string) => ({ [type]: [[{ node: AGENT, type, index: 0 }]] });
		const { id } = await rig.addWorkflow([start, agent, chatModel, ...tools], {
			connections: {
				Start: toAgent('main'),
				Model: toAgent('ai_languageModel'),
				...Object.fromEntries(tools.map(({ name }) => [name, toAgent('ai_tool')])),
			},
			// As in each workflow of the editor: in the older order, the agent goes on before its tools end.
			settings: { executionOrder: 'v1' },
		});
		await rig.n8n.runManually(id, { triggerToStartFrom: 'Start' });
		const execution = await rig.n8n.waitForExecution(id, { timeoutMs: 60_000 });
		recorded.push(execution, ...model.requests);
		succeeded(execution);
		assert.equal(rig.n8n.nodeOutput(execution, AGENT)[0]?.json.output, 'Done.');
		const heard = model.requests
			.at(-1)!
			.messages.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
		assert.equal(heard.length, calls.length);
		return heard;
	}

	describe('the model is told', () => {
		let told: Tool[];
		before(async () => {
			await run([]);
			told = model.requests[0]!.tools!.map((tool) => tool.function);
		});

		for (const [says, , , , wanted] of TOOLS) {
			test(`${says}, and what this needs`, () => {
				const tool = told.find(({ name }) => name === toolName(says));
				assert.equal(tool?.description, `${says} in Form Responses`);
				assert.deepEqual(
					tool.parameters.properties,
					Object.fromEntries(wanted.map((name) => [name, ARGUMENTS[name]])),
				);
				assert.deepEqual(tool.parameters.required ?? [], wanted);
			});
		}
	});

	test('the model gets what each operation gives, answers by label', async () => {
		const titleOf = ({ id, title }: Json) => [id, title];
		const answersOf = ({ responseId, answers }: Json) => [responseId, answers];
		const response = (n: number) => {
			const { responseId, answers } = made[n - 1]!.data;
			return [responseId, Object.fromEntries(answers.map(({ label, value }) => [label, value]))];
		};
		const formId = form.id;
		const { responseId } = made[1]!.data;
		const cases: Array<[ToolCall, shows: (item: Json) => unknown, expected: unknown[]]> = [
			[
				call('Get the account'),
				({ user, workspace }) => [(user as Json).email, (workspace as Json).name],
				[['demo.user@example.com', 'Playground']],
			],
			[call('Get many forms', { title: 'cont' }), titleOf, [[formId, 'Contact']]],
			[call('Get a form', { formId }), titleOf, [[formId, 'Contact']]],
			[call('Get a response', { responseId }), answersOf, [response(2)]],
			[list({ formId, limit: 2 }), answersOf, [response(3), response(2)]],
			[call('Get new responses', { formId }), answersOf, [response(1), response(2), response(3)]],
		];
		await rig.service.addForm('Survey');
		const heard = await run(cases.map(([toolCall]) => toolCall));
		for (const [n, [{ name }, shows, expected]] of cases.entries()) {
			const items: Json[] = JSON.parse(heard[n]!);
			assert.deepEqual({ [name]: items.map(shows) }, { [name]: expected });
		}
	});

	test('the model gets the hook that it makes, and it is gone once deleted', async () => {
		const given = { formId: form.id, targetUrl: 'https://example.com/new-response' };
		const [created] = await run([call('Create a hook', given)]);
		const [hook] = JSON.parse(created!);
		const hooks = await rig.service.hooks();
		assert.deepEqual(
			hooks.map(({ id }) => id),
			[hook.id],
		);
		assert.deepEqual({ formId: hook.formId, targetUrl: hook.targetUrl }, given);
		const [deleted] = await run([call('Delete a hook', { hookId: hook.id })]);
		assert.deepEqual(JSON.parse(deleted!), [{ deleted: true, id: hook.id }]);
		assert.deepEqual(await rig.service.hooks(), []);
	});

	test('the model gets no error where a form has no responses', async () => {
		const empty = await rig.service.addForm('Empty');
		const [heard] = await run([list({ formId: empty.id, limit: 5 })]);
		assert.doesNotMatch(heard!, /error/i);
	});

	test('the model gets 25 responses of 5 short answers in 8,000 characters', async () => {
		const who = { Name: 'Ada Lovelace', City: 'London', Age: '36' };
		const given = { ...who, Rating: 'Good', Comment: 'Fine' };
		const fields = Object.keys(given).map((label) => ({ label }));
		const [feedback] = await rig.service.addForms({ title: 'Feedback', fields });
		await rig.service.addResponses(feedback!.id, { count: 25, answers: given });
		const [heard] = await run([list({ formId: feedback!.id, limit: 25 })]);
		const responses: Json[] = JSON.parse(heard!);
		assert.equal(responses.length, 25);
		for (const { answers } of responses) assert.deepEqual(answers, given);
		assert.ok(heard!.length <= 8_000, `${heard!.length} characters`);
	});

	for (const [how, skip, setting] of [
		['thrown', aThrowEndsTheRun, {}],
		['given as an item', false, { onError: 'continueRegularOutput' }],
	] as const) {
		describe(`an error ${how} tells the model what is wrong and the way out`, () => {
			const getResponse = () => call('Get a response', { responseId: made[0]!.data.responseId });

			/** Makes the calls in one run, which goes on after each. */
			async function assertTold(cases: Array<[ToolCall, RegExp]>, parameters?: Json, extra?: Json) {
				const calls = cases.map(([toolCall]) => toolCall);
				const heard = await run(calls, parameters, { ...setting, ...extra });
				for (const [n, [, says]] of cases.entries()) {
					const [{ error }] = JSON.parse(heard[n]!);
					assert.match(String(error?.message ?? error), says);
				}
			}

			test('of each wrong argument, and asks only for what may exist', { skip }, async () => {
				const isGone = `Could not read response ${NOWHERE}: the response does not exist or belongs to another workspace. Check its ID, and the workspace of the credential`;
				await assertTold([
					[call('Get a response', { responseId: NOWHERE }), new RegExp(`^${isGone}`)],
					[
						call('Get a response', { responseId: 'the last one' }),
						/"Response ID" is "the last one"\. Enter a UUID such as/,
					],
					[list({ formId: 'Contact', limit: 5 }), /"Form" is "Contact".*its ID \(a UUID\)/],
					[
						list({ formId: form.id, limit: 100 }),
						/"Limit" is "?100"?\. Enter a whole number from 1 to 25/,
					],
					[
						call('Get many forms', { title: '' }),
						/^The filter "Title Contains" is empty\. Enter a value, or remove/,
					],
				]);
				assert.equal((await rig.service.requests()).length, 1);
			});

			test('of a key that the service does not know', { skip }, async () => {
				const wrong = { apiKey: 'live_wrong_key' };
				const { credentials } = await rig.addCredential('formResponsesApi', wrong);
				const says = /does not accept the API key\. Check the API Key of the credential/;
				await assertTold([[getResponse(), says]], { authentication: 'apiKey' }, { credentials });
			});

			test('of an API key where OAuth2 is needed, without an echoed key', { skip }, async () => {
				const bad = 'bad live_playground_key';
				await rig.service.addFault({
					match: { path: '/responses' },
					kind: 'status',
					status: 400,
					times: null,
					body: { error: bad, code: 'invalid_request', message: bad, hint: bad, docs: bad },
				});
				const cases: Array<[ToolCall, RegExp]> = [
					[
						call('Get many forms', { title: 'Contact' }),
						/API key can only read responses.*Use an OAuth2 credential instead/,
					],
					[getResponse(), /^Could not read response .*bad \*\*\*/],
				];
				await assertTold(cases, { authentication: 'apiKey' });
			});
		});
	}
});
