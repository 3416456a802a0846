import sharp from 'sharp';
import {
	othersCredentialTypes,
	readExample,
	withChoices,
} from '../../playground/start/example.mts';
import { settle, type Studio } from './studio.mts';

const MOST_WIDTH = 1400;
const MARGINS = { left: 24, right: 24, above: 12, below: 4 };

/** What lies over the canvas: buttons, and the way to add the next node. */
const IN_THE_WAY = `.vue-flow__panel, [data-test-id="canvas-controls"],
	[data-test-id="node-creator-plus-button"], [data-test-id="execute-workflow-button"]`;

/** The workflow of an example, whole, as the editor shows it when it is imported. */
export async function drawExample(studio: Studio, name: string) {
	const { n8n, instance, forms } = studio;
	const credentials = new Map(Object.entries(studio.credentials));
	for (const type of othersCredentialTypes) {
		credentials.set(type, await n8n.createCredential({ name: type, type, data: {} }));
	}
	const { pinData: _, ...draft } = readExample(name);
	const { id, nodes } = await n8n.createWorkflow(withChoices(draft, forms, credentials));
	const page = await studio.openPage(`${instance.url}/workflow/${id}`, [1500, 950], 2);
	await page.locator(`:nth-match(.vue-flow__node, ${nodes.length})`).waitFor();
	await settle(page);
	await page.getByTestId('zoom-to-fit').click();
	await page.addStyleTag({ content: `${IN_THE_WAY} { visibility: hidden !important }` });
	await settle(page);

	// With the names below the nodes and the signs beside them.
	const shown = await page.locator('.vue-flow__node').all();
	const boxes = await Promise.all(shown.map(async (one) => (await one.boundingBox())!));
	const x = Math.min(...boxes.map((box) => box.x)) - MARGINS.left;
	const y = Math.min(...boxes.map((box) => box.y)) - MARGINS.above;
	const width = Math.max(...boxes.map((box) => box.x + box.width)) + MARGINS.right - x;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) + MARGINS.below - y;
	const image = sharp(await page.screenshot({ clip: { x, y, width, height } }));
	return [image.resize({ width: MOST_WIDTH, withoutEnlargement: true })];
}
