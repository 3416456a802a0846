import type { BrowserContextOptions, Page } from 'playwright-core';
import { freePort, isFree } from '../../playground/n8n/ports.mts';
import { openBrowser } from '../e2e/browser.mts';
import type { Browser } from '../e2e/browser.mts';
import { ACTION, node, PACKAGE, TRIGGER } from '../live/drafts.mts';
import { startFormService } from '../live/service.mts';
import { openStage } from '../live/stage.mts';

type Json = Record<string, unknown>;

/** The ports of `npm start`, so that the addresses on the pictures are those people see. */
const PORTS = { n8n: 5678, service: 5800 };

/** What a form is filled in with. */
export const answers = {
	Name: 'Sample Respondent',
	Email: 'respondent@example.com',
	Message: 'Please call me back tomorrow.',
};

const portOr = async (wanted: number) => ((await isFree(wanted)) ? wanted : await freePort());

/** Lets the page come to rest: fonts, and what moves. */
export async function settle(page: Page) {
	await page.mouse.move(0, 0);
	await page.evaluate('document.fonts.ready.then(() => {})');
	await page.waitForTimeout(700);
}

/** Closes what n8n says of itself: notes at the edge, and a list of what else to set up. */
export async function closePopups(page: Page) {
	await page.waitForTimeout(700);
	const buttons = page.locator(
		'.el-notification__closeBtn, [data-test-id="suggested-actions-close"]',
	);
	for (const button of await buttons.all()) await button.click({ timeout: 3000 });
}

/** A real n8n with the package, the form service with its forms, and browsers to look at them. */
export async function openStudio() {
	const servicePort = await portOr(PORTS.service);
	const stage = await openStage({
		port: await portOr(PORTS.n8n),
		startService: async () => await startFormService(servicePort),
	});
	const { n8n, instance, service, credentials } = stage;

	const reset = { seed: true, keepTokens: true };
	const made = await fetch(`${service.url}/playground/reset`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(reset),
	});
	if (!made.ok) throw new Error(`The form service made no forms: ${await made.text()}`);
	const listed = await fetch(`${service.baseUrl}/forms`, {
		headers: { authorization: `Bearer ${await service.accessToken()}` },
	});
	const { data: forms } = (await listed.json()) as { data: Array<{ id: string; title: string }> };

	const browsers = new Map<string, Browser>();

	/** A page in a browser of its own for each look. */
	async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
		const key = JSON.stringify(options);
		const localStorage = Object.entries({
			N8N_THEME: 'light',
			N8N_NDV_OUTPUT_PANEL_DISPLAY_MODE: 'json',
			N8N_PIN_DATA_DISCOVERY_NDV: 'true',
			N8N_PIN_DATA_DISCOVERY_CANVAS: 'true',
		}).map(([name, value]) => ({ name, value }));
		const storageState = { cookies: [], origins: [{ origin: instance.url, localStorage }] };
		const browser =
			browsers.get(key) ??
			(await openBrowser(stage, { colorScheme: 'light', storageState, ...options }));
		browsers.set(key, browser);
		return await browser.open(url);
	}

	/** The form of the seed as the nodes' field "Form" holds it. */
	function formNamed(title: string) {
		const form = forms.find((each) => each.title === title);
		if (!form) throw new Error(`The service has no form "${title}".`);
		return { __rl: true, mode: 'list', value: form.id, cachedResultName: title };
	}

	return {
		...stage,
		n8n,
		service,
		forms,
		formNamed,
		openPage,
		openEditor: async (workflowId: string, look?: BrowserContextOptions) =>
			await openPage(`${instance.url}/workflow/${workflowId}`, look),
		trigger: (parameters: Json = {}, extra: Json = {}) =>
			node(
				TRIGGER,
				`${PACKAGE}.formResponsesTrigger`,
				{ formId: formNamed('Contact'), options: {}, ...parameters },
				{ credentials, webhookId: crypto.randomUUID(), ...extra },
			),
		action: (parameters: Json = {}, extra: Json = {}) =>
			node(
				ACTION,
				`${PACKAGE}.formResponses`,
				{ formId: formNamed('Contact'), options: {}, ...parameters },
				{ credentials, ...extra },
			),
		closePages: async () =>
			void (await Promise.all([...browsers.values()].map((browser) => browser.closePages()))),
		async close() {
			await Promise.all([...browsers.values()].map((browser) => browser.close()));
			await stage.close();
		},
	};
}

export type Studio = Awaited<ReturnType<typeof openStudio>>;
