import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActivationEngine } from './environment.mts';
import { n8nLocation } from './location.mts';
import { openSession, logIn, owner } from './session.mts';

const { N8N_URL, N8N_EMAIL = owner.email, N8N_PASSWORD = owner.password } = process.env;

/** The n8n that tests run in where somebody has started one already. */
export const attached = N8N_URL
	? { url: N8N_URL.replace(/\/+$/, ''), account: { email: N8N_EMAIL, password: N8N_PASSWORD } }
	: undefined;

async function versionThere({ url, account }: NonNullable<typeof attached>): Promise<string> {
	const session = openSession(url);
	await logIn(session, account);
	return (await session.get<{ versionCli: string }>('/settings')).versionCli;
}

const versionOfAttached = attached && (await versionThere(attached));

/** Of the n8n that is started here or attached to, as in "2.41.1". */
export function n8nVersion(): string {
	if (versionOfAttached) return versionOfAttached;
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
