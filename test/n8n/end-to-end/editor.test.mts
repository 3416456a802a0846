import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Envelope, Form } from '../../../playground/service/client.mts';
import { useBrowser } from '../kit/browser.mts';
import { eventually } from '../kit/eventually.mts';
import { useRig } from '../kit/real-n8n.mts';
import { ACTION, byId, node, type NodeDraft, TRIGGER } from '../kit/workflow-nodes.mts';

type Json = Record<string, unknown>;

describe("the nodes in n8n's editor, in a browser", () => {
	const rig = useRig(async () => ({ hasEditor: true }));
	const browser = useBrowser(rig);
	let form: Form;
	before(async () => {
		form = await rig.service.addForm('Contact');
		await rig.service.addForms({ title: 'Survey', count: 3 });
	});

	/** The trigger's panel in a workflow of its own. */
	async function openTrigger() {
		const workflow = await rig.addTriggerWorkflow(form.id);
		const page = await browser.openWorkflow(workflow.id);
		await page.getByTestId('canvas-node').dblclick();
		return { page, panel: page.getByTestId('ndv') };
	}

	/** As the editor saves what is picked from a list. */
	const picked = (value: string) => ({ __rl: true, value, mode: 'list', cachedResultName: value });

	const nodeOn = (page: Page, name: string) =>
		page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);

	/** The trigger and actions, with and without the title of the form, and a node after them. */
	async function openNodesAboutForm() {
		const formId = (mode: string) => ({
			__rl: true,
			mode,
			value: form.id,
			...(mode === 'list' && { cachedResultName: form.title }),
		});
		const list = (formId: object) => ({ operation: 'getAll', formId });
		const { actionNode } = rig;
		const apart = [
			actionNode({ resource: 'account', operation: 'get' }, {}, 'Account'),
			actionNode({ operation: 'get', responseId: form.id }, {}, 'One'),
			actionNode(list(formId('id')), {}, 'By ID'),
			actionNode(list({ ...formId('list'), value: '' }), {}, 'None'),
			actionNode(list(formId('list'))),
			node('Next', 'n8n-nodes-base.set', {}, { typeVersion: 3.4 }),
		].map((one, index): NodeDraft => ({ ...one, position: [300 * (index + 1), 0] }));
		const workflow = await rig.addTriggerWorkflow(form.id, { formId: formId('list') }, apart);
		return await browser.openWorkflow(workflow.id);
	}

	async function chooseCredential(page: Page, panel: Locator, id: string) {
		await panel.getByTestId('node-credentials-select').click();
		await page.getByTestId(`node-credentials-select-item-${id}`).click();
	}

	async function openFormList(page: Page, panel: Locator) {
		await panel.getByTestId('rlc-mode-selector').click();
		await page.getByTestId('mode-list').click();
		await panel.getByTestId('rlc-input').click();
	}

	async function fillIn(answers: Record<string, string>) {
		const page = await browser.open(`${rig.service.url}/forms/${form.id}`);
		for (const [label, value] of Object.entries(answers)) {
			await page.getByLabel(label).fill(value);
		}
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	}

	/** What the panel of nodes finds of the package. */
	async function search(words: string) {
		const page = await browser.openNewWorkflow();
		await page.getByTestId('node-creator-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill(words);
		const found = page.getByTestId('item-iterator-item');
		return { page, found: found.filter({ hasText: 'Form Responses' }) };
	}

	for (const words of ['form trigger', 'webhook']) {
		test(`searching for "${words}" finds the nodes`, async () => {
			await (await search(words)).found.waitFor();
		});
	}

	test('searching for "form responses" finds the trigger and every action; a new node has the OAuth2 credential', async () => {
		const { page, found } = await search('form responses');
		await found.click();
		await page.getByText('Actions (8)').click();
		const names = page.getByTestId('node-creator-item-name');
		await names.filter({ hasText: 'Get new responses' }).waitFor();
		assert.deepEqual(await names.allInnerTexts(), [
			'On response completed',
			'Get the account',
			'Get a form',
			'Get many forms',
			'Create a hook',
			'Delete a hook',
			'Get a response',
			'Get many responses',
			'Get new responses',
		]);
		await names.filter({ hasText: 'On response completed' }).click();
		const title = page.getByTestId('node-title-container').getByTestId('inline-edit-preview');
		assert.equal(await title.innerText(), TRIGGER);
		const credential = page.getByTestId('node-credentials-select').locator('input');
		const { name } = rig.credentials.formResponsesOAuth2Api;
		await eventually(async () => assert.equal(await credential.inputValue(), name));
	});

	test('the form picker lists the forms, and searching finds one', async () => {
		const { page, panel } = await openTrigger();
		await openFormList(page, panel);
		const items = page.getByTestId('rlc-item');
		await items.nth(3).waitFor();
		const titles = ['Contact', 'Survey 1', 'Survey 2', 'Survey 3'];
		assert.deepEqual((await items.allInnerTexts()).sort(), titles);
		await page.getByTestId('rlc-search').fill('survey 2');
		await eventually(async () => assert.deepEqual(await items.allInnerTexts(), ['Survey 2']));
		await items.click();
		assert.equal(await panel.getByTestId('rlc-input').inputValue(), 'Survey 2');
	});

	test('with an API key there is a poll interval, and the picker says why it has no list', async () => {
		const { page, panel } = await openTrigger();
		const pollInterval = panel.getByTestId('parameter-input-pollInterval');
		const testWith = panel.getByTestId('parameter-input-testWith');
		await testWith.waitFor();
		assert.equal(await pollInterval.isVisible(), false);
		await chooseCredential(page, panel, rig.credentials.formResponsesApi.id);
		await pollInterval.waitFor();
		assert.equal(await testWith.isVisible(), false);
		await openFormList(page, panel);
		const refusal = await page.getByTestId('rlc-error-container').innerText();
		assert.match(refusal, /API key cannot list forms/);
		assert.match(refusal, /By ID/);
		assert.match(refusal, /OAuth2/);
	});

	test('a node says on the canvas which form it is about', async () => {
		const page = await openNodesAboutForm();
		for (const [name, text] of [
			[TRIGGER, 'new response, Contact'],
			[ACTION, 'get many: response, Contact'],
			['By ID', 'get many: response'],
			['None', 'get many: response'],
			['One', 'get: response'],
		] as const) {
			await nodeOn(page, name).getByText(text, { exact: true }).waitFor();
		}
	});

	test('the columns of a node can be mapped before it has run', async () => {
		const page = await openNodesAboutForm();
		await nodeOn(page, 'Next').dblclick();
		const input = page.getByTestId('ndv-input-panel');
		await input.getByText('respondentEmail').waitFor();
		await input.getByText('answers', { exact: true }).waitFor();
	});

	test('with an API key it says what cannot be done with it', async () => {
		const page = await openNodesAboutForm();
		const notice = page.getByText('An API key can only read responses. To read forms');
		await nodeOn(page, ACTION).dblclick();
		const panel = page.getByTestId('ndv');
		await chooseCredential(page, panel, rig.credentials.formResponsesApi.id);
		await panel.getByTestId('parameter-input-responseLimit').waitFor();
		assert.equal(await notice.isVisible(), false);
		await panel.getByTestId('parameter-input-resource').click();
		await page.getByRole('option', { name: 'Hook' }).click();
		await notice.waitFor();
		await chooseCredential(page, panel, rig.credentials.formResponsesOAuth2Api.id);
		await panel.getByTestId('parameter-input-targetUrl').waitFor();
		assert.equal(await notice.isVisible(), false);
	});

	/** The panel of an action that lists responses, which runs by hand. */
	async function openList(formId: string) {
		const list = { operation: 'getAll', formId: byId(formId) };
		const workflow = await rig.addWorkflow([
			node('Start', 'n8n-nodes-base.manualTrigger'),
			rig.actionNode(list, { position: [300, 0] }),
		]);
		const page = await browser.openWorkflow(workflow.id);
		await nodeOn(page, ACTION).dblclick();
		return page.getByTestId('ndv');
	}

	test('a limit can be typed, and one above 25 is refused; 25 responses come with a hint', async () => {
		const full = await rig.service.addForm('Full');
		await rig.service.addResponses(full.id, { count: 25 });
		const panel = await openList(full.id);
		const hint = panel.getByText('Older ones, if any, are out of its reach');
		const limit = panel.getByTestId('parameter-input-responseLimit').locator('input');
		async function runWith(text: string) {
			await limit.selectText();
			await limit.pressSequentially(text, { delay: 100 });
			assert.equal(await limit.inputValue(), text);
			await panel.getByTestId('node-execute-button').click();
		}
		await runWith('5');
		await panel.getByTestId('output-panel').getByText('5 items').waitFor();
		assert.equal(await hint.isVisible(), false);
		await runWith('40');
		await panel.getByText('"Limit" is 40. Enter a whole number from 1 to 25').first().waitFor();
		await runWith('25');
		await hint.waitFor();
	});

	test('options that do nothing are not offered: with Simplify off, none about answers', async () => {
		const page = await openNodesAboutForm();
		for (const name of [TRIGGER, ACTION, 'Account']) {
			await nodeOn(page, name).dblclick();
			const panel = page.getByTestId('ndv');
			const offered = async () => {
				await panel.getByPlaceholder('Add Option').click();
				const names = await page.getByTestId('collection-parameter-option').allInnerTexts();
				await page.keyboard.press('Escape');
				return names.filter((one) => /Answer|Include/.test(one));
			};
			const shows = async (...names: string[]) =>
				await eventually(async () => assert.deepEqual(await offered(), names));
			if (name === 'Account') return await shows();
			await shows('Answer Values', 'Flatten Answers', 'Include', 'Name Answers By');
			await panel.getByTestId('parameter-input-simplify').locator('.el-switch__core').click();
			await shows();
			const close = page.getByTestId('ndv-close-button');
			await close.or(page.getByTestId('back-to-canvas')).first().click();
		}
	});

	test('the credential form says that an API key can only read responses', async () => {
		const { page, panel } = await openTrigger();
		await chooseCredential(page, panel, rig.credentials.formResponsesApi.id);
		await panel.getByTestId('credential-edit-button').click();
		const form = page.getByTestId('editCredential-modal');
		await form.getByText('An API key can only read responses').waitFor();
		await form.getByText('Connection tested successfully').waitFor();
		await page.keyboard.press('Escape');
	});

	test('the trigger says what to do and when it runs; a test event shows the response filled in', async () => {
		const { page, panel } = await openTrigger();
		await panel.getByText('Test with a response').waitFor();
		const once = 'Once published, the workflow runs for each new response, without this button.';
		await panel.getByText(once).waitFor();
		await panel.getByTestId('trigger-execute-button').click();
		await panel.getByText('Listening for test event').waitFor();
		await eventually(async () => assert.equal((await rig.service.hooks()).length, 1));
		await fillIn({ Name: 'Ada', Message: 'Only a test' });
		await page.bringToFront();
		const output = panel.getByTestId('output-panel');
		await output.getByText('1 item').waitFor();
		// The editor shows the number of items before the items.
		await eventually(async () => {
			const shown = await output.innerText();
			for (const text of ['Contact', 'Name', 'Ada', 'Message', 'Only a test']) {
				assert.ok(shown.includes(text), `${text} is not in the output:\n${shown}`);
			}
		});
		await eventually(async () => assert.deepEqual(await rig.service.hooks(), []));
	});

	test('Only If: question and answer are chosen from lists, and deleting a condition keeps the others', async () => {
		const choices = ['Morning', 'Noon'];
		const fields = [
			{ label: 'Name', type: 'text' },
			{ label: 'Workshops', type: 'multi-choice', choices },
		];
		const [event] = (await rig.service.addForms({ title: 'Event', fields })) as [Form];
		const answers = { Name: 'Ada', Workshops: choices };
		const [{ data }] = (await rig.service.addResponses(event.id, { answers })) as [Envelope];
		const workshops = data.answers.find(({ label }) => label === 'Workshops')!.fieldId;
		const plain = { label: 'Name', operation: 'equals', value: 'Ada' };
		const filled = { label: picked('Name'), operation: 'exists' };
		const onlyIf = { conditions: [plain, { operation: 'contains' }, filled] };
		const workflow = await rig.addTriggerWorkflow(event.id, { options: { onlyIf } });
		const page = await browser.openWorkflow(workflow.id);
		await page.getByTestId('canvas-node').dblclick();
		const panel = page.getByTestId('ndv');
		const conditions = panel.getByTestId('fixed-collection-onlyIf');
		const input = (field: string, nth: number) =>
			conditions.getByTestId(`parameter-input-${field}`).nth(nth).getByTestId('rlc-input');
		assert.equal(await input('label', 0).inputValue(), 'Name');

		const shown = page.locator('[data-test-id="rlc-item"]:visible');
		await input('label', 1).click();
		await shown.nth(1).waitFor();
		assert.deepEqual(await shown.allInnerTexts(), ['Name', 'Workshops']);
		await shown.nth(1).click();
		const value = conditions.getByTestId('parameter-input-value').nth(1);
		await value.getByTestId('rlc-mode-selector').click();
		await page.locator('[data-test-id="mode-list"]:visible').click();
		await input('value', 1).click();
		await shown.nth(2).waitFor();
		assert.deepEqual(await shown.allInnerTexts(), ['Morning, Noon', 'Morning', 'Noon']);
		await shown.nth(2).click();

		await conditions.getByTestId('fixed-collection-delete').first().click({ force: true });
		await eventually(async () => {
			const { nodes } = await rig.n8n.workflow(workflow.id);
			const options = nodes[0]!.parameters.options as { onlyIf: { conditions: Json[] } };
			const [first, ...others] = options.onlyIf.conditions;
			const label = { ...picked(workshops), cachedResultName: 'Workshops' };
			assert.deepEqual(first, { label, operation: 'contains', value: picked('Noon') });
			assert.deepEqual(others, [filled]);
		});
	});
});
