import type { Page } from 'playwright-core';
import {
	othersCredentialTypes,
	readExample,
	withChoices,
} from '../../playground/start/example.mts';
import { settle, type Studio } from './studio.mts';
import { writeWebp } from './webp.mts';

const LOOK = { deviceScaleFactor: 2, viewport: { width: 1500, height: 950 } };
const MOST_WIDTH = 1400;
const MARGINS = { left: 24, above: 12, below: 4 };

/** What lies over the canvas: buttons, and the way to add the next node. */
const IN_THE_WAY = `.vue-flow__panel, [data-test-id="canvas-controls"],
	[data-test-id="node-creator-plus-button"], [data-test-id="execute-workflow-button"]`;

/** The part of the page that nodes and notes take up, with the names below the nodes and the signs beside them. */
async function boxOfNodes(page: Page) {
	const nodes = await page.locator('.vue-flow__node').all();
	const boxes = await Promise.all(nodes.map(async (node) => (await node.boundingBox())!));
	const x = Math.min(...boxes.map((box) => box.x)) - MARGINS.left;
	const y = Math.min(...boxes.map((box) => box.y)) - MARGINS.above;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGINS.left;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGINS.below;
	return { x, y, width: right - x, height: bottom - y };
}

/** The workflow of an example, whole, as the editor shows it when it is imported. */
export async function drawExample(studio: Studio, [file]: string[], name: string) {
	const { n8n, instance, forms } = studio;
	const credentials = new Map(Object.entries(studio.credentials));
	for (const type of othersCredentialTypes) {
		credentials.set(type, await n8n.createCredential({ name: type, type, data: {} }));
	}
	const { pinData: _, ...draft } = readExample(name);
	const { id, nodes } = await n8n.createWorkflow(withChoices(draft, forms, credentials));
	const page = await studio.openPage(`${instance.url}/workflow/${id}`, LOOK);
	await page.locator(`:nth-match(.vue-flow__node, ${nodes.length})`).waitFor();
	await settle(page);
	await page.getByTestId('zoom-to-fit').click();
	await page.addStyleTag({ content: `${IN_THE_WAY} { visibility: hidden !important }` });
	await settle(page);
	await writeWebp(file!, await page.screenshot({ clip: await boxOfNodes(page) }), MOST_WIDTH);
}
