import { inARow, node, TRIGGER } from '../live/drafts.mts';
import { answers, closePopups, settle } from './studio.mts';
import type { Studio } from './studio.mts';
import { writeWebp } from './webp.mts';

const RUN = { deviceScaleFactor: 1.5, viewport: { width: 1180, height: 660 } };
/** So wide that the lines of the output are whole. */
const OUTPUT = { deviceScaleFactor: 1.4, viewport: { width: 1640, height: 640 } };

/** The Contact form's page, filled in. */
export async function drawForm(studio: Studio, [file]: string[]) {
	const look = { deviceScaleFactor: 1.5, viewport: { width: 600, height: 430 } };
	const { value } = studio.formNamed('Contact');
	const page = await studio.openPage(`${studio.service.url}/forms/${value}`, look);
	for (const [label, answer] of Object.entries(answers)) await page.getByLabel(label).fill(answer);
	await page.locator(':focus').blur();
	await settle(page);
	await writeWebp(file!, await page.screenshot());
}

/** What may follow the trigger: one text made of the answers. */
export const summaryNode = () =>
	node(
		'Summary',
		'n8n-nodes-base.set',
		{
			assignments: {
				assignments: [
					{
						id: crypto.randomUUID(),
						name: 'summary',
						type: 'string',
						value: '={{ $json.answers.Name }} wrote: {{ $json.answers.Message }}',
					},
				],
			},
			options: {},
		},
		{ typeVersion: 3.4, position: [320, 0] },
	);

/** A workflow of two nodes in the editor, run by hand with the newest response. */
async function openRun(studio: Studio, look: typeof RUN) {
	const formId = studio.formNamed('Contact');
	await studio.service.addResponses(formId.value, {
		answers,
		respondentEmail: answers.Email,
		deliver: false,
	});
	const nodes = [studio.trigger({ formId, testWith: 'latest' }), summaryNode()];
	const workflow = await studio.n8n.createWorkflow({
		name: 'New response to the Contact form',
		nodes,
		connections: inARow(nodes),
	});
	const page = await studio.openEditor(workflow.id, look);
	const execute = page.getByTestId('execute-workflow-button');
	await execute.click();
	await page.getByTestId('canvas-node-status-success').nth(1).waitFor();
	await closePopups(page);
	return page;
}

export async function drawRun(studio: Studio, [file]: string[]) {
	const page = await openRun(studio, RUN);
	await settle(page);
	await writeWebp(file!, await page.screenshot());
}

/** The trigger's fields, and a response in its output. */
export async function drawTrigger(studio: Studio, [file]: string[]) {
	const page = await openRun(studio, OUTPUT);
	await page.getByTestId('canvas-node').filter({ hasText: TRIGGER }).dblclick();
	await page.getByTestId('output-panel').getByText('1 item').waitFor();
	await settle(page);
	const column = (await page.getByTestId('node-parameters').boundingBox())!;
	const output = (await page.getByTestId('output-panel').boundingBox())!;
	await writeWebp(
		file!,
		await page.screenshot({
			clip: {
				x: column.x,
				y: output.y,
				width: output.x + output.width - column.x,
				height: output.height,
			},
		}),
	);
}
