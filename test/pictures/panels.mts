import type { Locator, Page } from 'playwright-core';
import { node as describedNode } from './fingerprint.js';
import { panelFile, themes } from './catalogue.js';
import { openCredential, shootCredential } from './credential.mts';
import { panels } from './panels.js';
import { settle } from './studio.mts';
import type { Studio, Theme } from './studio.mts';
import { writeWebp } from './webp.mts';

/** So high that no panel has to be scrolled. */
const WHOLE = { width: 1400, height: 2600 };
const MARGIN = 16;
/** The trigger's panel is twice as wide. */
const SHARPNESS = { trigger: 1.6, action: 2 };

const boxOf = async (locator: Locator) => (await locator.boundingBox())!;

/** Every option of the node with its default. */
function allOptions(node: 'trigger' | 'action') {
	const { description } = describedNode(
		node === 'trigger' ? 'FormResponsesTrigger' : 'FormResponses',
	);
	const options = description.properties.find(({ name }: { name: string }) => name === 'options');
	return Object.fromEntries(
		options.options.map(({ name, default: value }: { name: string; default: unknown }) => [
			name,
			value,
		]),
	);
}

/** Where the last field of a node's panel ends. */
async function endOfFields(page: Page): Promise<number> {
	return await page.getByTestId('node-parameters').evaluate((panel) => {
		const fields = panel.querySelectorAll(
			'[data-test-id="parameter-item"], [data-test-id="collection-parameter-add"], .notice',
		);
		return Math.max(...[...fields].map((field) => field.getBoundingClientRect().bottom));
	});
}

const opening = {
	help: async (page: Page) => await page.getByText('When will this node trigger my flow?').click(),
	listening: async (page: Page) => {
		await page.getByTestId('trigger-execute-button').click();
		await page.getByText('Stop Listening').first().waitFor();
	},
};

async function drawNode(studio: Studio, name: string, theme: Theme) {
	const { node, parameters, hasAllOptions, open } = panels[name]!;
	const options = hasAllOptions ? { options: allOptions(node) } : {};
	const draft = studio[node]({ ...parameters, ...options });
	const workflow = await studio.n8n.createWorkflow({ name, nodes: [draft], connections: {} });
	const page = await studio.openEditor(workflow.id, { theme, deviceScaleFactor: SHARPNESS[node] });
	await page.getByTestId('canvas-node').dblclick();
	await page.getByTestId('node-parameters').waitFor();
	if (open) await opening[open](page);
	await page.setViewportSize(WHOLE);
	await settle(page);
	const end = await endOfFields(page);
	const tabs = await boxOf(page.getByTestId('tab-params'));
	const column = await boxOf(page.getByTestId('node-parameters'));
	if (node === 'action') {
		// Below the handle with which the panel is moved.
		const y = tabs.y - MARGIN + 3;
		return await page.screenshot({
			clip: { x: column.x, y, width: column.width, height: end + MARGIN - y },
		});
	}
	// With what stands beside the fields, in the middle of the window's height.
	await page.setViewportSize({ width: WHOLE.width, height: Math.max(560, Math.ceil(end) + 110) });
	await settle(page);
	const window = await boxOf(page.getByTestId('ndv'));
	const width = column.x + column.width - window.x;
	return await page.screenshot({
		clip: { x: window.x, y: window.y, width, height: window.height },
	});
}

async function drawCredential(studio: Studio, type: 'OAuth2Api' | 'Api', theme: Theme) {
	const { id } = studio.credentials[`formResponses${type}`];
	const { page, window } = await openCredential(studio, id, theme);
	const verdict = window.getByText(/Account connected|tested successfully/);
	await verdict.filter({ visible: true }).first().waitFor();
	return await shootCredential(page, window);
}

async function drawNodeCreator(studio: Studio, theme: Theme) {
	const look = { theme, deviceScaleFactor: 2, viewport: { width: 1400, height: 1000 } };
	const page = await studio.openEditor('new', look);
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('form responses');
	await page.getByTestId('item-iterator-item').filter({ hasText: 'Form Responses' }).click();
	await page.getByText(/^Actions \(\d+\)$/).click();
	const last = page.getByTestId('node-creator-item-name').filter({ hasText: 'Get new responses' });
	await last.waitFor();
	await settle(page);
	const box = await boxOf(page.getByTestId('node-creator'));
	const { y, height } = await boxOf(last);
	return await page.screenshot({ clip: { ...box, height: y + height + MARGIN - box.y } });
}

async function drawCanvas(studio: Studio, theme: Theme) {
	const nodes = [studio.trigger(), studio.action({}, { position: [272, 0] })];
	const connections = {
		[nodes[0]!.name]: { main: [[{ node: nodes[1]!.name, type: 'main', index: 0 }]] },
	};
	const workflow = await studio.n8n.createWorkflow({ name: 'Contact', nodes, connections });
	const page = await studio.openEditor(workflow.id, { theme, deviceScaleFactor: 2 });
	const shown = page.getByTestId('canvas-node');
	await shown.nth(1).waitFor();
	await settle(page);
	const [first, second] = [await boxOf(shown.nth(0)), await boxOf(shown.nth(1))];
	const x = first.x - 70;
	return await page.screenshot({
		clip: { x, y: first.y - 40, width: second.x + 210 - x, height: first.height + 110 },
	});
}

const others: Record<string, (studio: Studio, theme: Theme) => Promise<Buffer>> = {
	'credential-oauth2': async (studio, theme) => await drawCredential(studio, 'OAuth2Api', theme),
	'credential-api-key': async (studio, theme) => await drawCredential(studio, 'Api', theme),
	'node-creator': drawNodeCreator,
	canvas: drawCanvas,
};

/** A panel of the package in n8n's editor, light and dark. */
export async function drawPanel(studio: Studio, name: string) {
	for (const theme of themes) {
		const png =
			name in panels ? await drawNode(studio, name, theme) : await others[name]!(studio, theme);
		await writeWebp(panelFile(name, theme), png);
	}
}
