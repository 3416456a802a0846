import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Item, WorkflowDraft } from '../../../playground/n8n/types.mts';
import { exampleFile, exampleNames, readExample } from '../../../playground/start/example.mts';
import { useBrowser } from '../kit/browser.mts';
import { eventually } from '../kit/eventually.mts';
import { useRig } from '../kit/real-n8n.mts';
import { PACKAGE } from '../kit/workflow-nodes.mts';

const SAMPLE_FORM_ID = '9e1b653e-2178-4c4d-9bd3-bc924b86eb79';

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
	const rig = useRig(async () => ({ hasEditor: true }));
	const browser = useBrowser(rig);

	for (const name of exampleNames) {
		test(`${name}: every node, connection and parameter is there`, async () => {
			const example = readExample(name);
			const page = await browser.openNewWorkflow();
			await page.getByTestId('canvas-add-button').waitFor();
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

		test(`${name} says what it does and what to set, and holds nothing of an n8n`, () => {
			const example = readExample(name);
			const notes = example.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
			const texts = notes.map(({ parameters }) => String(parameters.content));
			assert.ok(texts.some((text) => text.startsWith('## Set up\n')));
			assert.ok(texts.length > 1);
			const parts = Object.keys(example).sort().join();
			assert.equal(parts, 'connections,name,nodes,pinData,settings');
			for (const { credentials: chosen, type, parameters } of example.nodes) {
				assert.equal(chosen, undefined);
				if (type.startsWith(PACKAGE) && parameters.formId) {
					assert.match((parameters.formId as { value: string }).value, /^(=.*fromAI.*)?$/);
				}
			}
			assert.ok(Object.keys(example.pinData).length > 0);
			for (const [{ json }] of Object.values(example.pinData) as Array<[Item]>) {
				assert.equal(json.formId ?? SAMPLE_FORM_ID, SAMPLE_FORM_ID);
			}
		});
	}
});
