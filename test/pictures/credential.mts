import type { Locator, Page } from 'playwright-core';
import { settle } from './studio.mts';
import type { Studio } from './studio.mts';

/** So high that no credential has to be scrolled. */
const LOOK = { deviceScaleFactor: 1.3, viewport: { width: 1400, height: 2200 } };
const MARGIN = 16;

/** The window in which a credential is edited. */
export async function openCredential(studio: Studio, id: string) {
	const url = `${studio.instance.url}/home/credentials/${id}`;
	const page = await studio.openPage(url, LOOK);
	const window = page.getByTestId('editCredential-modal');
	await window.waitFor();
	return { page, window };
}

/** The window is never higher than part of the page, whatever its height: it is to be as high as its fields. */
async function unfold(window: Locator) {
	const whole = { height: 'auto', maxHeight: 'none', overflow: 'visible' };
	await window.getByTestId('node-credentials-config-container').evaluate((fields, style) => {
		for (let each = fields.parentElement; each !== null; each = each.parentElement) {
			Object.assign(each.style, style);
			if (each.dataset.testId === 'editCredential-modal') break;
		}
	}, whole);
}

/** The window without what is empty below its fields. */
export async function shootCredential(page: Page, window: Locator, most = Infinity) {
	await unfold(window);
	await settle(page);
	const box = (await window.boundingBox())!;
	const fields = (await window.getByTestId('node-credentials-config-container').boundingBox())!;
	const height = Math.min(box.height, fields.y + fields.height + MARGIN - box.y, most);
	return await page.screenshot({ clip: { ...box, height } });
}
