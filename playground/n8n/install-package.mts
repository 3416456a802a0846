import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, packageRoot } from './build.mts';
import { overrideTiming } from './timing.mts';
import type { Timing } from './timing.mts';

export interface PackageOptions {
	/** Times of the trigger that a test cannot wait for. */
	timing?: Timing;
}

function ownPackageName(): string {
	const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
	return manifest.name;
}

/**
 * Puts the package where n8n keeps community nodes, holding what would be published and no more.
 * n8n loads every package it finds there; it does not need to have installed it itself.
 */
export function installPackage(userFolder: string, { timing }: PackageOptions = {}): string {
	ensureBuilt();
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', ownPackageName());
	mkdirSync(target, { recursive: true });
	for (const name of ['package.json', 'dist']) {
		rmSync(join(target, name), { recursive: true, force: true });
		cpSync(join(packageRoot, name), join(target, name), { recursive: true });
	}
	if (timing) overrideTiming(target, timing);
	return target;
}
