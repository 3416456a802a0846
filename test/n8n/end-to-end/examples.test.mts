import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ManualStart } from '../../../playground/n8n/executions.mts';
import type { Execution, Item, Workflow } from '../../../playground/n8n/types.mts';
import type { Form } from '../../../playground/service/client.mts';
import { seededForms } from '../../../playground/service/seed.mts';
import {
	type Credentials as ChosenCredentials,
	exampleNames,
	readExample,
	withChoices,
} from '../../../playground/start/example.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { useBrowser } from '../kit/browser.mts';
import { readRows } from '../kit/data-tables.mts';
import { DOCUMENT, startCloud } from '../kit/google-and-slack.mts';
import { startModel } from '../kit/language-model.mts';
import { openMailbox } from '../kit/mailbox.mts';
import { sharedBySuite } from '../kit/shared-by-suite.mts';
import { useRig } from '../kit/real-n8n.mts';
import { succeeded } from '../kit/workflows.mts';

type Json = Record<string, unknown>;

const COLLEAGUE = { username: 'colleague', password: 'a-password' };

describe('the examples in a real n8n', () => {
	const mailbox = sharedBySuite(openMailbox);
	const model = sharedBySuite(startModel);
	const cloud = sharedBySuite(startCloud);
	const rig = useRig(async () => ({ hasEditor: true, env: needsOwnN8n ? undefined : cloud.env }));
	let credentials: ChosenCredentials;
	let forms: Form[];
	const imported: Workflow[] = [];
	const wereRun = new Set<string>();

	before(async () => {
		const data = { user: COLLEAGUE.username, password: COLLEAGUE.password };
		const { createCredential } = rig.n8n;
		credentials = new Map([
			...Object.entries(rig.credentials),
			['smtp', await createCredential({ name: 'Mail', type: 'smtp', data: mailbox.credential })],
			[
				'httpBasicAuth',
				await createCredential({ name: 'Colleagues', type: 'httpBasicAuth', data }),
			],
			['openAiApi', await createCredential(model.credential)],
		]);
	});
	beforeEach(async () => {
		await rig.service.reset();
		forms = [];
		for (const form of seededForms) forms.push(...(await rig.service.addForms(form)));
		await mailbox.empty();
	});
	afterEach(async () => {
		for (const { id } of imported.splice(0)) await rig.n8n.deleteWorkflow(id);
	});

	const formNamed = (title: string) => forms.find((form) => form.title === title)!;

	const complete = async (title: string, answers: Json, others: Json = {}) =>
		(await rig.service.addResponses(formNamed(title).id, { answers, ...others }))[0]!.data;

	/** Within the same second it would be the same completion. */
	async function completeAgain(responseId: string) {
		await sleep(1_000);
		await rig.service.completeAgain(responseId);
	}

	/** As a person does: imports the file, and chooses credentials and forms. */
	async function importExample(
		name: string,
		{ isPinned = false, change = (text: string) => text } = {},
	): Promise<Workflow> {
		const chosen = withChoices(readExample(name), forms, credentials);
		const example: typeof chosen = JSON.parse(change(JSON.stringify(chosen)));
		const pinData = isPinned ? example.pinData : {};
		const workflow = await rig.n8n.createWorkflow({ ...example, pinData });
		imported.push(workflow);
		wereRun.add(name);
		return workflow;
	}

	const ended = async ({ id }: Workflow, after = '0') =>
		succeeded(await rig.n8n.waitForExecution(id, { after, timeoutMs: 30_000 }));

	async function run(workflow: Workflow, start: ManualStart) {
		const after = await rig.n8n.lastExecutionId(workflow.id);
		await rig.n8n.runManually(workflow.id, start);
		return await ended(workflow, after);
	}

	const runFrom = async (workflow: Workflow, triggerToStartFrom: string) =>
		await run(workflow, { triggerToStartFrom });

	const createTable = async (workflow: Workflow) =>
		await run(workflow, { destinationNode: 'Create the table' });

	const rowsOf = async (table: string) => await readRows(rig.n8n.session, table);

	/** What the trigger put out ends a run some time before n8n has stored it. */
	async function settled({ id }: Workflow, count: number) {
		const executions = await rig.n8n.waitForExecutions(id, { count, timeoutMs: 30_000 });
		for (const execution of executions) succeeded(execution);
	}

	/** Sample data has the keys of what comes. */
	function assertLikeSample(name: string, node: string, execution: Execution) {
		const real = rig.n8n.nodeOutput(execution, node)[0]!;
		const [sample, ...others] = readExample(name).pinData[node]!;
		assert.deepEqual(others, []);
		assert.deepEqual(Object.keys(sample!.json), Object.keys(real.json));
		const answersOf = ({ json }: Item) => Object.keys(json.answers ?? {});
		assert.deepEqual(answersOf(sample!), answersOf(real));
	}

	const contact = { Name: 'Ada', Email: 'ada@example.com', Message: 'Hello 🙂' };
	const feedback = { Rating: 'Poor', 'What did you use?': ['App'], Comment: 'Too slow' };
	const registration = {
		'Full name': 'Ada',
		Email: 'ada@example.com',
		Ticket: 'Weekend',
		Guests: '2',
		Workshops: ['Morning', 'Noon'],
	};

	test('responses-to-data-table: each response is one row, also when it is completed again', async () => {
		const workflow = await importExample('responses-to-data-table');
		await createTable(workflow);
		await createTable(workflow);
		const before = await rig.n8n.lastExecutionId(workflow.id);
		await rig.publish(workflow.id);
		const { responseId } = await complete('Contact', contact);
		const first = await ended(workflow, before);
		assertLikeSample('responses-to-data-table', 'New response', first);
		await completeAgain(responseId);
		await ended(workflow, first.id);
		const expected = { responseId, name: 'Ada', email: 'ada@example.com', message: 'Hello 🙂' };
		const rows = await rowsOf('Contact responses');
		assert.partialDeepStrictEqual(rows, [expected]);
		assert.equal(rows.length, 1);
	});

	test(
		'google-sheets-and-slack: each response is one row and in a message, and nothing in it is carried out',
		{ skip: needsOwnN8n },
		async () => {
			credentials.set('slackApi', await cloud.connectSlack(rig.n8n));
			credentials.set('googleSheetsOAuth2Api', await cloud.connectGoogle(rig.n8n));
			const columns = { mappingMode: 'autoMapInputData', matchingColumns: ['responseId'] };
			const change = (text: string) =>
				text
					.replace(/("documentId":{[^}]*"value":)""/, `$1"${DOCUMENT}"`)
					.replace(
						/("sheetName":{[^}]*"value":)""}/,
						`$1"gid=0"},"columns":${JSON.stringify(columns)}`,
					)
					.replace(/("channelId":{[^}]*"value":)""/, '$1"C0123456789"');
			const workflow = await importExample('google-sheets-and-slack', { change });
			const harmful = { ...contact, Name: '=1+1', Message: '<!channel> Tom & Jerry' };
			const { responseId } = await complete('Contact', harmful);
			await complete('Contact', contact);
			const first = await runFrom(workflow, 'Every 5 minutes');
			assertLikeSample('google-sheets-and-slack', 'Get new responses', first);
			await completeAgain(responseId);
			await runFrom(workflow, 'Every 5 minutes');
			const [names, ...rows] = cloud.rows;
			const named = rows.map((row) => Object.fromEntries(names!.map((name, n) => [name, row[n]])));
			assert.equal(named.length, 2);
			assert.partialDeepStrictEqual(
				named.find((row) => row.responseId === responseId),
				{ Name: '=1+1', Message: '<!channel> Tom & Jerry' },
			);
			const answers = 'Name: =1+1\nEmail: ada@example.com\nMessage: &lt;!channel> Tom &amp; Jerry';
			assert.equal(cloud.messages[0]!.channel, 'C0123456789');
			assert.ok(cloud.messages[0]!.text.includes(answers), cloud.messages[0]!.text);
			assert.equal(cloud.messages.length, 2);
			await rig.publish(workflow.id);
		},
	);

	test('reconcile-data-table: what the table lacks is added and named, and then nothing', async () => {
		const filling = await importExample('responses-to-data-table');
		await createTable(filling);
		const missing = [await complete('Contact', contact), await complete('Contact', contact)];
		const workflow = await importExample('reconcile-data-table');
		const first = await runFrom(workflow, 'Once a day');
		assertLikeSample('reconcile-data-table', 'Newest responses', first);
		const ids = missing.map(({ responseId }) => responseId).sort();
		const [named] = rig.n8n.nodeOutput(first, 'What was missing');
		assert.deepEqual([...(named!.json.responseId as string[])].sort(), ids);
		const rows = await rowsOf('Contact responses');
		const inTable = rows.map(({ responseId }) => String(responseId));
		assert.deepEqual(inTable.filter((id) => ids.includes(id)).sort(), ids);
		const second = await runFrom(workflow, 'Once a day');
		assert.deepEqual(rig.n8n.nodeOutput(second, 'What was missing'), []);
		assert.equal((await rowsOf('Contact responses')).length, rows.length);
	});

	test('route-by-answer: poor ratings go to support, good ones to the team, fair ones start no execution', async () => {
		const workflow = await importExample('route-by-answer');
		await rig.publish(workflow.id);
		await complete('Feedback', { ...feedback, Rating: 'Fair' });
		await complete('Feedback', feedback);
		await complete('Feedback', { ...feedback, Rating: 'Good', Comment: 'Fine' });
		await settled(workflow, 2);
		const mails = await mailbox.mails();
		assert.deepEqual(
			mails.map(({ to, subject }) => ({ to, subject })),
			[
				{ to: ['team@example.com'], subject: 'Good rating in Feedback' },
				{ to: ['support@example.com'], subject: 'Poor rating in Feedback' },
			],
		);
		assert.match(mails[1]!.text, /^Rating: Poor\n.*\nComment: Too slow/);
		const [execution] = await rig.n8n.waitForExecutions(workflow.id, { count: 1 });
		assertLikeSample('route-by-answer', 'New response', execution!);
	});

	test('catch-up-on-a-schedule: new responses become rows, with an API key', async () => {
		const workflow = await importExample('catch-up-on-a-schedule');
		await createTable(workflow);
		const { responseId } = await complete('Event registration', registration);
		const execution = await runFrom(workflow, 'Every 15 minutes');
		assertLikeSample('catch-up-on-a-schedule', 'Get new responses', execution);
		const [row, ...others] = await rowsOf('Registrations');
		const email = 'ada@example.com';
		const ticket = { ticket: 'Weekend', guests: '2', workshops: 'Morning, Noon' };
		const expected = { responseId, full_name: 'Ada', email, ...ticket };
		assert.partialDeepStrictEqual(row, expected);
		assert.deepEqual(others, []);
		await rig.publish(workflow.id);
	});

	test('morning-digest: one e-mail with all of the last day, and none without any', async () => {
		const workflow = await importExample('morning-digest');
		const longAgo = new Date(Date.now() - 25 * 3_600_000).toISOString();
		await complete('Feedback', { ...feedback, Comment: 'Old' }, { completedAt: longAgo });
		await runFrom(workflow, 'Every morning at 7');
		assert.deepEqual(await mailbox.mails(), []);
		await complete('Feedback', feedback);
		await complete('Feedback', { ...feedback, Comment: 'Fine' });
		const execution = await runFrom(workflow, 'Every morning at 7');
		assertLikeSample('morning-digest', 'Responses of the last day', execution);
		const [{ to, subject, text } = {}, ...others] = await mailbox.mails();
		assert.deepEqual(others, []);
		assert.deepEqual([to, subject], [['team@example.com'], '2 new responses to Feedback']);
		assert.match(String(text), /Comment: Too slow/);
		assert.match(String(text), /Comment: Fine/);
		assert.doesNotMatch(String(text), /Old/);
		await rig.publish(workflow.id);
	});

	test('ask-your-responses: the model reads the forms, and the responses of one of them', async () => {
		const { respondentEmail } = await complete('Feedback', feedback, {
			respondentEmail: 'ada@example.com',
		});
		const workflow = await importExample('ask-your-responses', { isPinned: true });
		model.willCall(
			{ name: 'Forms' },
			{ name: 'Newest_responses', arguments: { formId: formNamed('Feedback').id, limit: 5 } },
		);
		const execution = await run(workflow, { destinationNode: 'AI Agent' });
		assert.equal(rig.n8n.nodeOutput(execution, 'AI Agent')[0]?.json.output, 'Done.');
		const [asked, , answered] = model.requests;
		const said = JSON.stringify(asked!.messages);
		assert.match(said, /What did people say in the feedback form/);
		const heard = answered!.messages.filter(({ role }) => role === 'tool');
		assert.match(String(heard[0]!.content), new RegExp(formNamed('Feedback').id));
		assert.match(String(heard[1]!.content), /Too slow/);
		assert.match(String(heard[1]!.content), new RegExp(String(respondentEmail)));
	});

	describe('look-up-a-respondent', () => {
		const browser = useBrowser(rig, { httpCredentials: COLLEAGUE });

		function addressOf({ nodes }: Workflow) {
			const { webhookId } = nodes.find(({ name }) => name === 'Ask for the address')!;
			return `${rig.instance.url}/form/${webhookId}`;
		}

		async function ask(workflow: Workflow, email: string) {
			const page = await browser.open(addressOf(workflow));
			await page.getByLabel('Email').fill(email);
			await page.getByRole('button', { name: 'Submit' }).click();
			return page;
		}

		test('nobody sees the page without the password', async () => {
			const workflow = await importExample('look-up-a-respondent');
			await rig.publish(workflow.id);
			const answer = await fetch(addressOf(workflow));
			assert.equal(answer.status, 401);
		});

		test('the last page shows the newest answers of the address, or says that there are none', async () => {
			const workflow = await importExample('look-up-a-respondent');
			await rig.publish(workflow.id);
			await complete('Event registration', { ...registration, Ticket: 'Day' });
			const fullName = '<b>Ada</b> & <script>alert(1)</script>';
			await complete('Event registration', { ...registration, 'Full name': fullName });
			const found = await ask(workflow, 'ada@example.com');
			await found.getByText('Ticket: Weekend').waitFor();
			await found.getByText('Event registration').waitFor();
			await found.getByText(`Full name: ${fullName}`).waitFor();
			assert.doesNotMatch(await found.innerText('body'), /Ticket: Day/);
			const none = await ask(workflow, 'nobody@example.com');
			await none.getByText('None of the newest 25 responses is from nobody@example.com').waitFor();
			const executions = await rig.n8n.executions({ workflowId: workflow.id });
			const first = await rig.n8n.execution(executions.at(-1)!.id);
			assertLikeSample('look-up-a-respondent', 'Find the responses', first);
		});

		test('a typo in the expression shows no answers of others', async () => {
			const change = (text: string) => text.replace('{{ $json.Email }}', '{{ $json.Emial }}');
			const workflow = await importExample('look-up-a-respondent', { change });
			await rig.publish(workflow.id);
			await complete('Event registration', registration);
			const page = await ask(workflow, 'nobody@example.com');
			const { status, data } = await rig.n8n.waitForExecution(workflow.id);
			assert.equal(status, 'error');
			const message = data.resultData.error?.message;
			assert.match(String(message), /^The filter "Respondent Email" is empty\. Enter a value/);
			assert.doesNotMatch(await page.innerText('body'), /Ticket|ada@example/);
		});
	});

	test('each example was run', { skip: needsOwnN8n }, () => {
		assert.deepEqual([...wereRun].sort(), exampleNames);
	});
});
