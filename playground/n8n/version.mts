import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActivationEngine } from './environment.mts';
import { n8nLocation } from './location.mts';
import { openSession, logIn, owner } from './session.mts';

const { N8N_URL, N8N_EMAIL = owner.email, N8N_PASSWORD = owner.password } = process.env;

async function lookAt(url: string) {
	const account = { email: N8N_EMAIL, password: N8N_PASSWORD };
	const session = openSession(url);
	await logIn(session, account);
	const { versionCli } = await session.get<{ versionCli: string }>('/settings');
	return { url, account, version: versionCli };
}

/** The n8n that tests run in where somebody has started one already. */
export const attached = N8N_URL ? await lookAt(N8N_URL.replace(/\/+$/, '')) : undefined;

/** Of the n8n that is started here or attached to, as in "2.41.1". */
export function n8nVersion(): string {
	if (attached) return attached.version;
	const manifest = join(n8nLocation().folder, 'node_modules', 'n8n', 'package.json');
	return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

export function isOlderThan(version: string): boolean {
	return n8nVersion().localeCompare(version, 'en', { numeric: true }) < 0;
}

/** How this n8n can switch triggers on; before 2.40 publication was an experiment, or not there. */
export function activationEngines(): ActivationEngine[] {
	if (isOlderThan('2.40')) return ['activeWorkflowManager'];
	// An attached n8n stays with the one that it has: by default the first.
	return attached ? ['publication'] : ['publication', 'activeWorkflowManager'];
}
