import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { isOlderThan } from '../../../playground/n8n/version.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { ACTION, byId, NOWHERE, TRIGGER } from '../kit/workflow-nodes.mts';
import { eventually } from '../kit/eventually.mts';
import { openRig, type Rig } from '../kit/test-rig.mts';
import type { Form } from '../../../playground/service/client.mts';

type Json = Record<string, unknown>;

const onlyIf = (label: string, value = 'x') => ({
	options: { onlyIf: { conditions: [{ label, operation: 'equals', value }] } },
});
const UNKNOWN =
	/No question is called "Nmae" in what the form service shows\. There are: Name, Email\./;

describe('what looks right and is not is told, in a real n8n', () => {
	let rig: Rig;
	let form: Form;
	before(async () => {
		rig = await openRig();
		form = await rig.service.addForm('Contact');
		const answers = { Name: 'Ada', Email: 'ada@example.com' };
		await rig.service.addResponses(form.id, { count: 10, answers });
	});
	after(async () => await rig?.close());

	const wrong: Array<[what: string, Json, says: RegExp]> = [
		['a poll interval of 0', { pollInterval: 0 }, /"Poll Interval" is 0\./],
		['a condition without a question', onlyIf(' '), /"Only If: Question" is empty\./],
		['a condition without a value', onlyIf('Name', ''), /"Only If: Value" is empty\./],
	];
	for (const [what, parameters, says] of wrong) {
		test(`a test refuses ${what}`, async () => {
			const asked = { authentication: 'apiKey', ...parameters };
			const { id } = await rig.addTriggerWorkflow(form.id, asked);
			await assert.rejects(rig.n8n.runManually(id, { triggerToStartFrom: TRIGGER }), says);
		});
	}

	test('a test names a question that there is not', async () => {
		const asked = { authentication: 'apiKey', ...onlyIf('Nmae') };
		const { id } = await rig.addTriggerWorkflow(form.id, asked);
		await rig.n8n.runManually(id, { triggerToStartFrom: TRIGGER });
		const execution = await rig.n8n.waitForExecution(id, { timeoutMs: 30_000 });
		const [run] = execution.data.resultData.runData[TRIGGER]!;
		const { hints = [] } = run as { hints?: Array<{ message: string }> };
		assert.match(hints[0]!.message, UNKNOWN);
	});

	test('published, it gives one failed execution', { skip: needsOwnN8n }, async () => {
		const { id } = await rig.addTriggerWorkflow(form.id, onlyIf('Nmae'));
		assert.deepEqual(await rig.n8n.publish(id), { ok: true, message: '' });
		if (isOlderThan('2.33')) {
			const log = async () => await readFile(rig.instance.logPath, 'utf8');
			return await eventually(async () => assert.match(await log(), UNKNOWN));
		}
		const { status, data } = await rig.n8n.waitForExecution(id, { timeoutMs: 30_000 });
		assert.equal(status, 'error');
		assert.match(String(data.resultData.error?.message), UNKNOWN);
	});

	const getMany = { operation: 'getAll' };

	test("the form is found in a URL that begins with a workspace's ID", async () => {
		const value = `https://forms.example.com/workspaces/${NOWHERE}/forms/${form.id}/edit`;
		const formId = { __rl: true, mode: 'url', value };
		const execution = await rig.runAction({ ...getMany, formId, responseLimit: 1 });
		const [item] = rig.n8n.nodeOutput(execution, ACTION);
		assert.equal(item!.json.formId, form.id);
	});

	test('a time span that ends before it begins is refused', async () => {
		const filters = { completedAfter: '2026-02-01', completedBefore: '2026-01-01' };
		const execution = await rig.runAction({ ...getMany, formId: byId(form.id), filters });
		assert.match(
			String(execution.data.resultData.error?.message),
			/"Completed After" is later than "Completed Before"/,
		);
	});
});
