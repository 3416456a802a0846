import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { WorkflowDraft } from '../../../playground/n8n/types.mts';
import { exampleFile, exampleNames, readExample } from '../../../playground/start/example.mts';
import { useBrowser } from '../kit/browser.mts';
import { eventually } from '../kit/eventually.mts';
import { useRig } from '../kit/test-rig.mts';

/** What a person has drawn; n8n gives each import IDs of its own, and moves it to where there is room. */
const drawn = ({ nodes, connections, pinData }: WorkflowDraft) => ({
	nodes: nodes.map(({ name, type, typeVersion, parameters, disabled = false }) => ({
		name,
		type,
		typeVersion,
		parameters,
		disabled,
	})),
	connections,
	pinData,
});

describe("the examples through the editor's own import", () => {
	const rig = useRig();
	const browser = useBrowser(rig);
	afterEach(async () => await browser?.closePages());

	for (const name of exampleNames) {
		test(`${name}: every node, connection and parameter is there`, async () => {
			const example = readExample(name);
			const page = await browser.open(`${rig.instance.url}/workflow/new`);
			await page.getByTestId('workflow-import-input').setInputFiles(exampleFile(name));
			await page.getByTestId('canvas-node').first().waitFor();
			await page.keyboard.press('Control+s');
			const { id } = await eventually(async () => {
				const all = await rig.n8n.workflows();
				const saved = all.find((workflow) => workflow.name === example.name);
				assert.ok(saved, 'n8n has not saved it');
				assert.deepEqual(drawn(await rig.n8n.workflow(saved.id)), drawn(example));
				return saved;
			});
			await rig.n8n.deleteWorkflow(id);
		});
	}
});
