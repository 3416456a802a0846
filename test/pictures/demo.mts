import type { Page } from 'playwright-core';
import { inARow, TRIGGER } from '../live/drafts.mts';
import { summaryNode } from './guides.mts';
import { answers, closePopups, settle } from './studio.mts';
import type { Studio } from './studio.mts';
import { fitted, stack, writeAnimation } from './webp.mts';
import type { Clip, Frame } from './webp.mts';

const WIDTH = 1200;
const HEIGHTS = { caption: 52, picture: 648 };
/** How much of n8n is seen, and of the form, which has less to show: the narrower, the larger. */
const VIEWS = { editor: 1100, form: 780, output: 600 };

const SHARPER = { deviceScaleFactor: 2 };
const sizeFor = (width: number) => ({
	width,
	height: Math.round((width * HEIGHTS.picture) / WIDTH),
});

const captions = [
	'A published workflow waits for responses to a form',
	'The form is filled in and sent',
	'The run appears in n8n',
	'The answers are the output of the trigger',
];

async function drawCaptions(studio: Studio): Promise<Buffer[]> {
	const page = await studio.openPage('about:blank', {
		viewport: { width: WIDTH, height: HEIGHTS.caption },
	});
	const drawn: Buffer[] = [];
	for (const [index, text] of captions.entries()) {
		await page.setContent(`<style>
			body { margin: 0; height: 51px; display: flex; align-items: center; gap: 14px; padding: 0 20px;
				border-bottom: 1px solid #d9dee5; background: #f6f8fa; font: 600 23px system-ui, sans-serif; color: #24292f }
			b { width: 32px; line-height: 32px; border-radius: 50%; text-align: center; color: #fff; background: #1f5fbf }
		</style><b>${index + 1}</b>${text}`);
		drawn.push(await page.screenshot());
	}
	return drawn;
}

/** What is said of a shot, and for how long it is shown. */
type Take = (page: Page, caption: number, ms: number, clip?: Clip) => Promise<void>;

async function fillIn(page: Page, take: Take) {
	await take(page, 1, 600);
	for (const [label, text] of Object.entries(answers)) {
		const field = page.getByLabel(label);
		const parts = text.match(/.{1,9}/g) ?? [];
		for (const part of parts) {
			await field.pressSequentially(part);
			await take(page, 1, 120);
		}
		await take(page, 1, 160);
	}
	await page.getByRole('button', { name: 'Submit' }).focus();
	await take(page, 1, 500);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('has been received').waitFor();
	await page.mouse.move(0, 0);
	await take(page, 1, 1000);
}

/** A response, from the form's page to the trigger's output, in a real n8n. */
export async function drawDemo(studio: Studio, [file]: string[]) {
	const bars = await drawCaptions(studio);
	const frames: Frame[] = [];
	const take: Take = async (page, caption, ms, clip) => {
		const shot = await page.screenshot(clip ? { clip } : {});
		const picture = await fitted(shot, { width: WIDTH, height: HEIGHTS.picture });
		frames.push({ png: await stack(bars[caption]!, picture), ms });
	};

	const formId = studio.formNamed('Contact');
	const nodes = [studio.trigger({ formId }), summaryNode()];
	const connections = inARow(nodes);
	const name = 'New response to the Contact form';
	const workflow = await studio.n8n.createWorkflow({ name, nodes, connections });
	const { ok, message } = await studio.n8n.publish(workflow.id);
	if (!ok) throw new Error(message);

	const look = { ...SHARPER, viewport: sizeFor(VIEWS.editor) };
	const editor = await studio.openEditor(workflow.id, look);
	await editor.getByTestId('canvas-node').nth(1).waitFor();
	await closePopups(editor);
	await settle(editor);
	await take(editor, 0, 1600);
	await editor.getByTestId('radio-button-executions').click();
	await editor.getByText('Nothing here yet').waitFor();
	await closePopups(editor);
	await settle(editor);

	const form = await studio.openPage(`${studio.service.url}/forms/${formId.value}`, {
		...SHARPER,
		viewport: sizeFor(VIEWS.form),
	});
	await fillIn(form, take);

	await editor.bringToFront();
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
	const part = sizeFor(width);
	await take(editor, 3, 3500, { x, y, ...part });
	await studio.n8n.unpublish(workflow.id);
	await writeAnimation(file!, frames);
}
