import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import { isOlderThan } from '../../../playground/n8n/version.mts';
import type { Form } from '../../../playground/service/client.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { eventually } from '../kit/eventually.mts';
import { useRig } from '../kit/real-n8n.mts';
import { byId, NOWHERE, TRIGGER } from '../kit/workflow-nodes.mts';

type Json = Record<string, unknown>;

const onlyIf = (label: string, value = 'x') => ({
	options: { onlyIf: { conditions: [{ label, operation: 'equals', value }] } },
});
const UNKNOWN =
	/No question is called "Nmae" in what the form service shows\. There are: Name, Email\./;

describe('what looks right and is not is told, in a real n8n', () => {
	const rig = useRig();
	let form: Form;
	before(async () => {
		form = await rig.service.addForm('Contact');
		const answers = { Name: 'Ada', Email: 'ada@example.com' };
		await rig.service.addResponses(form.id, { count: 10, answers });
	});

	const wrong: Array<[what: string, Json, says: RegExp]> = [
		['a poll interval of 0', { pollInterval: 0 }, /"Poll Interval" is 0\./],
		['a condition without a question', onlyIf(' '), /"Only If: Question" is empty\./],
		['a condition without a value', onlyIf('Name', ''), /"Only If: Value" is empty\./],
	];
	for (const [what, parameters, says] of wrong) {
		test(`a test refuses ${what}`, async () => {
			const asked = { authentication: 'apiKey', ...parameters };
			const { id } = await rig.addTriggerWorkflow(form.id, asked);
			await assert.rejects(rig.testTrigger(id), says);
		});
	}

	test('a test names a question that there is not', async () => {
		const asked = { authentication: 'apiKey', ...onlyIf('Nmae') };
		const { id } = await rig.addTriggerWorkflow(form.id, asked);
		await rig.testTrigger(id);
		const execution = await rig.n8n.waitForExecution(id, { timeoutMs: 30_000 });
		const [run] = execution.data.resultData.runData[TRIGGER]!;
		assert.match(String(run!.hints![0]!.message), UNKNOWN);
	});

	test('published, it gives one failed execution', { skip: needsOwnN8n }, async () => {
		const { id } = await rig.addTriggerWorkflow(form.id, onlyIf('Nmae'));
		await rig.publish(id);
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
		const [item] = await rig.actionOutput({ ...getMany, formId, responseLimit: 1 });
		assert.equal(item!.json.formId, form.id);
	});

	test('a time span that ends before it begins is refused', async () => {
		const filters = { completedAfter: '2026-02-01', completedBefore: '2026-01-01' };
		const message = await rig.actionFailure({ ...getMany, formId: byId(form.id), filters });
		assert.match(message, /"Completed After" is later than "Completed Before"/);
	});
});
