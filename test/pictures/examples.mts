import type { Page } from 'playwright-core';
import { readExample, withChoices } from '../../playground/start/example.mts';
import { closePopups, settle } from './studio.mts';
import type { Studio } from './studio.mts';
import { writeWebp } from './webp.mts';

const LOOK = { deviceScaleFactor: 2, viewport: { width: 1500, height: 950 } };
const MOST_WIDTH = 1400;
const MARGINS = { left: 24, above: 12, below: 4 };

/** What lies over the canvas: buttons, and the way to add the next node. */
const IN_THE_WAY = [
	'.vue-flow__panel',
	'[data-test-id="node-creator-plus-button"]',
	'[data-test-id="execute-workflow-button"]',
	'[data-test-id="canvas-controls"]',
].join(', ');

/** The part of the page that nodes and notes take up, with the names below the nodes and the signs beside them. */
async function boxOfNodes(page: Page) {
	return await page.locator('.vue-flow').evaluate((canvas, { left, above, below }) => {
		const boxes = [...canvas.querySelectorAll('.vue-flow__node')].map((node) =>
			node.getBoundingClientRect(),
		);
		const x = Math.min(...boxes.map((box) => box.left)) - left;
		const y = Math.min(...boxes.map((box) => box.top)) - above;
		const right = Math.max(...boxes.map((box) => box.right)) + left;
		const bottom = Math.max(...boxes.map((box) => box.bottom)) + below;
		return { x, y, width: right - x, height: bottom - y };
	}, MARGINS);
}

/** The workflow of an example, whole, as the editor shows it when it is imported. */
export async function drawExample(studio: Studio, [file]: string[], slug: string) {
	const credentials = new Map(Object.entries(studio.credentials));
	for (const type of ['smtp', 'httpBasicAuth', 'openAiApi']) {
		credentials.set(type, await studio.n8n.createCredential({ name: type, type, data: {} }));
	}
	const { pinData: _, ...draft } = readExample(slug);
	const { nodes, ...rest } = withChoices(draft, studio.forms, credentials);
	const workflow = await studio.n8n.createWorkflow({ ...rest, nodes });
	const page = await studio.openEditor(workflow.id, LOOK);
	await page
		.locator('.vue-flow__node')
		.nth(nodes.length - 1)
		.waitFor();
	await closePopups(page);
	await page.getByTestId('zoom-to-fit').click();
	await page.addStyleTag({ content: `${IN_THE_WAY} { visibility: hidden !important }` });
	await settle(page);
	const clip = await boxOfNodes(page);
	await writeWebp(file!, await page.screenshot({ clip }), MOST_WIDTH);
}
