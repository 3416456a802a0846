import type { Page } from 'playwright-core';
import { seededForms } from '../../playground/service/seed.mts';
import { openBrowser, type Browser } from '../../test/n8n/kit/browser.mts';
import { node } from '../../test/n8n/kit/workflow-nodes.mts';
import { startFormService } from '../../playground/service/client.mts';
import { openRig } from '../../test/n8n/kit/real-n8n.mts';

/** The ports of `npm start`, so that the addresses on the pictures are those people see. */
const PORTS = { n8n: 5678, service: 5800 };

const localStorage = Object.entries({
	N8N_THEME: 'light',
	N8N_NDV_OUTPUT_PANEL_DISPLAY_MODE: 'json',
	N8N_PIN_DATA_DISCOVERY_NDV: 'true',
	N8N_PIN_DATA_DISCOVERY_CANVAS: 'true',
}).map(([name, value]) => ({ name, value }));

type Size = [width: number, height: number];

/** What a form is filled in with. */
export const answers = {
	Name: 'Sample Respondent',
	Email: 'respondent@example.com',
	Message: 'Please call me back tomorrow.',
};

/** What n8n says of itself: notes at the edge, and a list of what else to set up. */
const POPUPS = '.el-notification__closeBtn, [data-test-id="suggested-actions-close"]';

/** Lets the page come to rest: popups, fonts, and what moves. */
export async function settle(page: Page) {
	await page.waitForTimeout(700);
	for (const button of await page.locator(POPUPS).all()) await button.click({ timeout: 3000 });
	await page.mouse.move(0, 0);
	await page.evaluate('document.fonts.ready.then(() => {})');
	await page.waitForTimeout(700);
}

/** A real n8n with the package, the form service with its forms, and browsers to look at them. */
export async function openStudio() {
	const startService = async () => await startFormService(PORTS.service);
	const rig = await openRig({ port: PORTS.n8n, hasEditor: true, startService });
	const { n8n, instance, service } = rig;
	const forms = (await Promise.all(seededForms.map(service.addForms))).flat();
	const contact = forms.find(({ title }) => title === 'Contact')!;
	const storageState = { cookies: [], origins: [{ origin: instance.url, localStorage }] };
	const browsers: Browser[] = [];

	return {
		...rig,
		forms,
		contact,

		/** A page in a browser of its own: the narrower, the less is seen; the higher the scale, the sharper. */
		async openPage(url: string, [width, height]: Size, deviceScaleFactor: number): Promise<Page> {
			const look = { viewport: { width, height }, deviceScaleFactor };
			const browser = await openBrowser(rig, { colorScheme: 'light', storageState, ...look });
			browsers.push(browser);
			return await browser.open(url);
		},

		/** The trigger for the Contact form, and one node after it. */
		async addContactWorkflow(parameters: Record<string, unknown> = {}) {
			const cachedResultName = contact.title;
			const formId = { __rl: true, mode: 'list', value: contact.id, cachedResultName };
			const all = { formId, options: {}, ...parameters };
			const after = { typeVersion: 3.4, position: [320, 0] };
			const summary = node('Summary', 'n8n-nodes-base.set', {}, after);
			const { id } = await rig.addTriggerWorkflow(contact.id, all, [summary]);
			await n8n.updateWorkflow(id, { name: 'New response to the Contact form' });
			return id;
		},

		closePages: async () =>
			void (await Promise.all(browsers.splice(0).map((browser) => browser.close()))),
	};
}

export type Studio = Awaited<ReturnType<typeof openStudio>>;
