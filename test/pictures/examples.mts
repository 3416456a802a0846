import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { WorkflowDraft, WorkflowNode } from '../../playground/n8n/types.mts';
import { pictures, root } from './catalogue.js';
import { closePopups, settle } from './studio.mts';
import type { Studio } from './studio.mts';
import { writeWebp } from './webp.mts';

const LOOK = { deviceScaleFactor: 2, viewport: { width: 1500, height: 950 } };
const MOST_WIDTH = 1400;
const MARGIN = 28;

/** What lies over the canvas: buttons, and the way to add the next node. */
const IN_THE_WAY = [
	'.vue-flow__panel',
	'[data-test-id="node-creator-plus-button"]',
	'[data-test-id="execute-workflow-button"]',
	'[data-test-id="canvas-controls"]',
].join(', ');

/** The example names its credentials by type and its form by title: the ids are those of this n8n. */
async function filledIn(studio: Studio, node: WorkflowNode): Promise<WorkflowNode> {
	const credentials: NonNullable<WorkflowNode['credentials']> = { ...node.credentials };
	if (node.type.startsWith('n8n-nodes-form-responses.')) {
		Object.assign(credentials, studio.credentials);
	}
	for (const type of Object.keys(credentials)) {
		if (type in studio.credentials) continue;
		const { id, name } = await studio.n8n.createCredential({
			name: credentials[type]!.name || type,
			type,
			data: {},
		});
		credentials[type] = { id, name };
	}
	const locator = node.parameters.formId as { mode: string; cachedResultName?: string } | undefined;
	const isGiven = locator === undefined || String(node.parameters.formId).startsWith('=');
	const formId = isGiven
		? {}
		: {
				formId: { ...studio.formNamed(locator.cachedResultName || 'Contact'), mode: locator.mode },
			};
	return { ...node, credentials, parameters: { ...node.parameters, ...formId } };
}

/** The part of the page that nodes, their names and their notes take up. */
async function boxOfNodes(page: Page) {
	return await page.locator('.vue-flow').evaluate((canvas, margin) => {
		const seen = [...canvas.querySelectorAll('.vue-flow__node, .vue-flow__node *')]
			.filter((element) =>
				element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
			)
			.map((element) => element.getBoundingClientRect())
			.filter(({ width, height }) => width > 0 && height > 0);
		const whole = canvas.getBoundingClientRect();
		const x = Math.max(whole.left, Math.min(...seen.map(({ left }) => left)) - margin);
		const y = Math.max(whole.top, Math.min(...seen.map(({ top }) => top)) - margin);
		const right = Math.min(whole.right, Math.max(...seen.map((box) => box.right)) + margin);
		const bottom = Math.min(whole.bottom, Math.max(...seen.map((box) => box.bottom)) + margin);
		return { x, y, width: right - x, height: bottom - y };
	}, MARGIN);
}

/** The workflow of an example, whole, as the editor shows it when it is imported. */
export async function drawExample(studio: Studio, [file]: string[], slug: string) {
	const { example } = pictures[`examples/${slug}`]!;
	const { name, nodes, connections }: WorkflowDraft = JSON.parse(
		readFileSync(join(root, example!), 'utf8'),
	);
	const drafts: WorkflowNode[] = [];
	for (const node of nodes) drafts.push(await filledIn(studio, node));
	const workflow = await studio.n8n.createWorkflow({ name, nodes: drafts, connections });
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
