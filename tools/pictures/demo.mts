import type { Page, PageScreenshotOptions } from 'playwright-core';
import sharp from 'sharp';
import { TRIGGER } from '../../test/n8n/kit/workflow-nodes.mts';
import { answers, settle, type Studio } from './studio.mts';

const WIDTH = 1200;
const HEIGHT = 648;
const CAPTION = 52;

const heightFor = (width: number) => Math.round((width * HEIGHT) / WIDTH);

const captions = [
	'A published workflow waits for responses to a form',
	'The form is filled in and sent',
	'The run appears in n8n',
	'The answers are the output of the trigger',
].map((text, index) =>
	Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${CAPTION}">
		<rect width="100%" height="100%" fill="#d9dee5" />
		<rect width="100%" height="${CAPTION - 1}" fill="#f6f8fa" />
		<circle cx="36" cy="26" r="16" fill="#1f5fbf" />
		<g font-family="sans-serif" font-size="23" font-weight="600">
			<text x="36" y="34" text-anchor="middle" fill="#fff">${index + 1}</text>
			<text x="66" y="34" fill="#24292f">${text}</text>
		</g>
	</svg>`),
);

/** Shots of pages below what is said of them, each shown for so many milliseconds. */
function openFilm() {
	const frames: Buffer[] = [];
	const delay: number[] = [];
	async function take(page: Page, caption: number, ms: number, part: PageScreenshotOptions = {}) {
		const picture = sharp(await page.screenshot(part))
			.resize({ width: WIDTH, height: HEIGHT, position: 'left top' })
			.extend({ top: CAPTION })
			.composite([{ input: captions[caption]!, left: 0, top: 0 }]);
		frames.push(await picture.png().toBuffer());
		delay.push(ms);
	}
	/** Begins again when it has ended. */
	const animation = () =>
		sharp(frames, { join: { animated: true } }).webp({ delay, loop: 0, mixed: true });
	return { take, animation };
}

type Take = ReturnType<typeof openFilm>['take'];

async function fillIn(page: Page, take: Take) {
	await take(page, 1, 600);
	for (const [label, text] of Object.entries(answers)) {
		for (const part of text.match(/.{1,9}/g) ?? []) {
			await page.getByLabel(label).pressSequentially(part);
			await take(page, 1, 160);
		}
	}
	const submit = page.getByRole('button', { name: 'Submit' });
	await submit.focus();
	await take(page, 1, 500);
	await submit.click();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	await page.mouse.move(0, 0);
	await take(page, 1, 1000);
}

/** The run, and then what the trigger put out in it. */
async function lookAtRun(editor: Page, take: Take) {
	await take(editor, 2, 700);
	const run = editor.getByTestId(/^execution-details-/);
	await run.getByText('Succeeded').waitFor();
	await run.click();
	const node = editor.getByTestId('canvas-node').filter({ hasText: TRIGGER });
	await node.waitFor();
	await settle(editor);
	await take(editor, 2, 2000);

	await node.dblclick();
	const output = editor.getByTestId('output-panel');
	await output.getByText(answers.Message).waitFor();
	await settle(editor);
	await take(editor, 3, 1300);
	const { x, y, width } = (await output.boundingBox())!;
	await take(editor, 3, 3500, { clip: { x, y, width, height: heightFor(width) } });
}

/** A response, from the form's page to the trigger's output, in a real n8n. */
export async function drawDemo(studio: Studio) {
	const { n8n, instance, service, contact, openPage } = studio;
	const { take, animation } = openFilm();
	const id = await studio.addContactWorkflow();
	await studio.publish(id);

	const editor = await openPage(`${instance.url}/workflow/${id}`, [1100, heightFor(1100)], 2);
	await editor.getByTestId('canvas-node').nth(1).waitFor();
	await settle(editor);
	await take(editor, 0, 1600);
	await editor.getByTestId('radio-button-executions').click();
	await editor.getByText('Nothing here yet').waitFor();
	await settle(editor);

	const form = await openPage(`${service.url}/forms/${contact.id}`, [1020, heightFor(1020)], 2);
	await fillIn(form, take);
	await editor.bringToFront();
	await lookAtRun(editor, take);
	await n8n.unpublish(id);
	return [animation()];
}
