import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActivationEngine } from './environment.mts';
import { n8nLocation } from './location.mts';

/** Of the n8n that is started here, as in "2.41.1". */
export function n8nVersion(): string {
	const manifest = join(n8nLocation().folder, 'node_modules', 'n8n', 'package.json');
	return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

export function isOlderThan(version: string): boolean {
	return n8nVersion().localeCompare(version, 'en', { numeric: true }) < 0;
}

/** How this n8n can switch triggers on; before 2.40 publication was an experiment, or not there. */
export function activationEngines(): ActivationEngine[] {
	return isOlderThan('2.40') ? ['activeWorkflowManager'] : ['publication', 'activeWorkflowManager'];
}
