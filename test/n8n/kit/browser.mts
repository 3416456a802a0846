import { existsSync } from 'node:fs';
import { type BrowserContextOptions, chromium, type Page, selectors } from 'playwright-core';
import { sharedBySuite } from './shared-by-suite.mts';
import type { Rig } from './real-n8n.mts';

const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** The editor is 10 MB of scripts. */
const PATIENCE_MS = 60_000;

function assertInstalled() {
	if (existsSync(executablePath)) return;
	throw new Error(
		`There is no browser at ${executablePath}: apt-get install chromium, or name another Chromium with CHROMIUM.`,
	);
}

/** What a page of the editor does where somebody follows one of its links. */
function goTo(path: string) {
	history.pushState({}, '', path);
	dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
}

/** A browser in which the owner of the rig's n8n is logged in. */
export async function openBrowser({ n8n, instance }: Rig, options: BrowserContextOptions = {}) {
	assertInstalled();
	// The attribute that n8n's own tests find things by.
	selectors.setTestIdAttribute('data-test-id');
	const browser = await chromium.launch({ executablePath, headless: true, args: flags });
	const viewport = { width: 1400, height: 900 };
	const context = await browser.newContext({ viewport, ...options });
	context.setDefaultTimeout(PATIENCE_MS);
	const [name, value] = n8n.session.cookie();
	await context.addCookies([{ name, value, url: instance.url }]);

	async function open(url: string) {
		const page = await context.newPage();
		await page.goto(url);
		return page;
	}

	let editor: Page | undefined;

	/** Shows a workflow in n8n's editor as its links do: a page of its own would load five times as long. */
	async function openWorkflow(id: string) {
		const path = `/workflow/${id}`;
		if (!editor) return (editor = await open(`${instance.url}${path}`));
		// Nothing of the one before may be taken for it.
		const before = await editor.getByTestId('canvas').elementHandle();
		await editor.evaluate(goTo, path);
		await before?.waitForElementState('hidden');
		return editor;
	}

	return {
		open,
		openWorkflow,
		openNewWorkflow: async () => await openWorkflow(`${crypto.randomUUID()}?new=true`),
		close: async () => await browser.close(),
	};
}

export type Browser = Awaited<ReturnType<typeof openBrowser>>;

/** One for all tests of a suite. */
export const useBrowser = (rig: Rig, options?: BrowserContextOptions): Browser =>
	sharedBySuite(async () => await openBrowser(rig, options));
