import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActivationEngine } from './environment.mts';
import { n8nLocation } from './location.mts';
import { openSession, logIn, owner } from './session.mts';

const { N8N_URL, N8N_EMAIL = owner.email, N8N_PASSWORD = owner.password } = process.env;

async function attachTo(url: string) {
	const account = { email: N8N_EMAIL, password: N8N_PASSWORD };
	const session = openSession(url);
	await logIn(session, account);
	const { versionCli } = await session.get<{ versionCli: string }>('/settings');
	return { url, account, version: versionCli };
}

/** An n8n that is already running, to run the tests in. */
export const attached = N8N_URL ? await attachTo(N8N_URL.replace(/\/+$/, '')) : undefined;

/** The version of the started or attached n8n, such as "2.41.1". */
export function n8nVersion(): string {
	if (attached) return attached.version;
	const manifest = join(n8nLocation().folder, 'node_modules', 'n8n', 'package.json');
	return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

export function isOlderThan(version: string): boolean {
	return n8nVersion().localeCompare(version, 'en', { numeric: true }) < 0;
}

/** How this n8n can activate triggers; publication was missing or experimental before 2.40. */
export function activationEngines(): ActivationEngine[] {
	if (isOlderThan('2.40')) return ['activeWorkflowManager'];
	// The engine of an attached n8n cannot be changed; the default is publication.
	return attached ? ['publication'] : ['publication', 'activeWorkflowManager'];
}
