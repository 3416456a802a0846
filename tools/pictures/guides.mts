import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { credentialDrafts } from '../../playground/start/credentials.mts';
import { TRIGGER } from '../../test/n8n/kit/workflow-nodes.mts';
import { answers, settle, type Studio } from './studio.mts';

/** The Contact form's page, filled in. */
export async function drawForm({ service, contact, openPage }: Studio) {
	const page = await openPage(`${service.url}/forms/${contact.id}`, [600, 540], 1.5);
	for (const [label, answer] of Object.entries(answers)) await page.getByLabel(label).fill(answer);
	await page.locator(':focus').blur();
	await settle(page);
	return [sharp(await page.screenshot())];
}

/** What n8n's panel of nodes has of the package. */
export async function drawSearch({ instance, openPage }: Studio) {
	const page = await openPage(`${instance.url}/workflow/new`, [1180, 700], 1.3);
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('form responses');
	await page.getByTestId('item-iterator-item').filter({ hasText: 'Form Responses' }).click();
	await page.getByText('On response completed').waitFor();
	await settle(page);
	return [sharp(await page.screenshot())];
}

/** A workflow of two nodes in the editor, run by hand with the newest response. */
async function openRun(studio: Studio, ...look: [size: [number, number], scale: number]) {
	const { service, contact, instance } = studio;
	const response = { answers, respondentEmail: answers.Email, deliver: false };
	await service.addResponses(contact.id, response);
	const id = await studio.addContactWorkflow({ testWith: 'latest' });
	const page = await studio.openPage(`${instance.url}/workflow/${id}`, ...look);
	await page.getByTestId('execute-workflow-button').click();
	await page.getByTestId('canvas-node-status-success').nth(1).waitFor();
	await settle(page);
	return page;
}

export async function drawRun(studio: Studio) {
	const page = await openRun(studio, [1180, 660], 1.5);
	return [sharp(await page.screenshot())];
}

/** The trigger's fields, and a response in its output. */
export async function drawTrigger(studio: Studio) {
	// So wide that the lines of the output are whole.
	const page = await openRun(studio, [1640, 640], 1.4);
	await page.getByTestId('canvas-node').filter({ hasText: TRIGGER }).dblclick();
	const output = page.getByTestId('output-panel');
	await output.getByText('1 item').waitFor();
	await settle(page);
	const { x } = (await page.getByTestId('node-parameters').boundingBox())!;
	const box = (await output.boundingBox())!;
	const clip = { ...box, x, width: box.x + box.width - x };
	return [sharp(await page.screenshot({ clip }))];
}

const MARGIN = 16;

const WINDOW = 'editCredential-modal';
const FIELDS = 'node-credentials-config-container';

/** n8n makes the window as high as part of the page: here it is as high as its fields. */
const UNFOLDED = `[data-test-id=${WINDOW}], [data-test-id=${WINDOW}] :has([data-test-id=${FIELDS}]) {
	height: auto !important; max-height: none !important; overflow: visible !important }`;

/** The window without what is empty below its fields. */
async function shootCredential(page: Page, most = Infinity) {
	await page.addStyleTag({ content: UNFOLDED });
	await settle(page);
	const box = (await page.getByTestId(WINDOW).boundingBox())!;
	const fields = (await page.getByTestId(FIELDS).boundingBox())!;
	const height = Math.min(box.height, fields.y + fields.height + MARGIN - box.y, most);
	return sharp(await page.screenshot({ clip: { ...box, height } }));
}

/** Connecting an OAuth2 credential: before, at the service, and after. */
export async function drawOAuth2({ n8n, service, instance, openPage }: Studio) {
	const draft = credentialDrafts(service.url).find(({ type }) => /OAuth2/.test(type))!;
	const { id } = await n8n.createCredential({ ...draft, name: 'Form Responses account' });
	// So high that nothing has to be scrolled.
	const page = await openPage(`${instance.url}/home/credentials/${id}`, [1400, 2200], 1.3);
	const connect = page.getByTestId(WINDOW).getByTestId('quick-connect-button');
	await connect.waitFor();
	const before = await shootCredential(page);

	const opened = page.waitForEvent('popup');
	await connect.click();
	const consent = await opened;
	const allow = consent.getByRole('button', { name: 'Allow' });
	await allow.waitFor();
	await consent.setViewportSize({ width: 600, height: 400 });
	await settle(consent);
	const atService = sharp(await consent.screenshot());

	await allow.click();
	await page.getByText('Account connected').waitFor();
	// What has changed is above.
	return [before, atService, await shootCredential(page, 480)];
}
