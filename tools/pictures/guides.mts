import type { Page } from 'playwright-core';
import { credentialDrafts } from '../../playground/start/credentials.mts';
import { TRIGGER } from '../../test/n8n/kit/workflow-nodes.mts';
import { answers, settle, type Studio } from './studio.mts';
import { writeWebp } from './webp.mts';

const FORM = { deviceScaleFactor: 1.5, viewport: { width: 600, height: 540 } };
const RUN = { deviceScaleFactor: 1.5, viewport: { width: 1180, height: 660 } };
/** So wide that the lines of the output are whole. */
const OUTPUT = { deviceScaleFactor: 1.4, viewport: { width: 1640, height: 640 } };

/** The Contact form's page, filled in. */
export async function drawForm({ service, contact, openPage }: Studio, [file]: string[]) {
	const page = await openPage(`${service.url}/forms/${contact.id}`, FORM);
	for (const [label, answer] of Object.entries(answers)) await page.getByLabel(label).fill(answer);
	await page.locator(':focus').blur();
	await settle(page);
	await writeWebp(file!, await page.screenshot());
}

const PANEL = { deviceScaleFactor: 1.3, viewport: { width: 1180, height: 700 } };

/** What n8n's panel of nodes has of the package. */
export async function drawSearch({ instance, openPage }: Studio, [file]: string[]) {
	const page = await openPage(`${instance.url}/workflow/new`, PANEL);
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('form responses');
	await page.getByTestId('item-iterator-item').filter({ hasText: 'Form Responses' }).click();
	await page.getByText('On response completed').waitFor();
	await settle(page);
	await writeWebp(file!, await page.screenshot());
}

/** A workflow of two nodes in the editor, run by hand with the newest response. */
async function openRun(studio: Studio, look: typeof RUN) {
	const { service, contact, instance } = studio;
	const response = { answers, respondentEmail: answers.Email, deliver: false };
	await service.addResponses(contact.id, response);
	const { id } = await studio.addContactWorkflow({ testWith: 'latest' });
	const page = await studio.openPage(`${instance.url}/workflow/${id}`, look);
	await page.getByTestId('execute-workflow-button').click();
	await page.getByTestId('canvas-node-status-success').nth(1).waitFor();
	await settle(page);
	return page;
}

export async function drawRun(studio: Studio, [file]: string[]) {
	const page = await openRun(studio, RUN);
	await writeWebp(file!, await page.screenshot());
}

/** The trigger's fields, and a response in its output. */
export async function drawTrigger(studio: Studio, [file]: string[]) {
	const page = await openRun(studio, OUTPUT);
	await page.getByTestId('canvas-node').filter({ hasText: TRIGGER }).dblclick();
	const output = page.getByTestId('output-panel');
	await output.getByText('1 item').waitFor();
	await settle(page);
	const { x } = (await page.getByTestId('node-parameters').boundingBox())!;
	const box = (await output.boundingBox())!;
	const clip = { ...box, x, width: box.x + box.width - x };
	await writeWebp(file!, await page.screenshot({ clip }));
}

/** So high that no credential has to be scrolled. */
const CREDENTIAL = { deviceScaleFactor: 1.3, viewport: { width: 1400, height: 2200 } };
const MARGIN = 16;

const WINDOW = 'editCredential-modal';
const FIELDS = 'node-credentials-config-container';

/** The window is never higher than part of the page, whatever its height: it is to be as high as its fields. */
const UNFOLDED = `[data-test-id=${WINDOW}], [data-test-id=${WINDOW}] :has([data-test-id=${FIELDS}]) {
	height: auto !important; max-height: none !important; overflow: visible !important }`;

/** The window without what is empty below its fields. */
async function shootCredential(page: Page, most = Infinity) {
	await page.addStyleTag({ content: UNFOLDED });
	await settle(page);
	const box = (await page.getByTestId(WINDOW).boundingBox())!;
	const fields = (await page.getByTestId(FIELDS).boundingBox())!;
	const height = Math.min(box.height, fields.y + fields.height + MARGIN - box.y, most);
	return await page.screenshot({ clip: { ...box, height } });
}

/** Connecting an OAuth2 credential: before, at the service, and after. */
export async function drawOAuth2({ n8n, service, instance, openPage }: Studio, files: string[]) {
	const draft = credentialDrafts(service.url).find(({ type }) => /OAuth2/.test(type))!;
	const { id } = await n8n.createCredential({ ...draft, name: 'Form Responses account' });
	const page = await openPage(`${instance.url}/home/credentials/${id}`, CREDENTIAL);
	const connect = page.getByTestId(WINDOW).getByTestId('quick-connect-button');
	await connect.waitFor();
	await writeWebp(files[0]!, await shootCredential(page));

	const opened = page.waitForEvent('popup');
	await connect.click();
	const consent = await opened;
	const allow = consent.getByRole('button', { name: 'Allow' });
	await allow.waitFor();
	await consent.setViewportSize({ width: 600, height: 400 });
	await settle(consent);
	await writeWebp(files[1]!, await consent.screenshot());

	await allow.click();
	await page.getByText('Account connected').waitFor();
	// What has changed is above.
	await writeWebp(files[2]!, await shootCredential(page, 480));
}
