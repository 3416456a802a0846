import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureBuilt, packageRoot } from './build.mts';

function ownPackageName(): string {
	const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
	return manifest.name;
}

/** Other times for the trigger, where a test cannot wait as long as people can. */
export type Timing = Record<string, number>;

function changeTiming(target: string, timing: Timing) {
	const file = join(target, 'dist', 'nodes', 'FormResponses', 'trigger', 'timing.js');
	const { timing: known } = createRequire(file)(file) as { timing: Timing };
	const unknown = Object.keys(timing).filter((name) => !Object.hasOwn(known, name));
	if (unknown.length > 0) throw new Error(`The trigger has no such times: ${unknown.join(', ')}`);
	appendFileSync(file, `\nObject.assign(exports.timing, ${JSON.stringify(timing)});\n`);
}

/**
 * Puts the package where n8n keeps community nodes, holding what would be published and no more.
 * n8n loads every package it finds there; it does not need to have installed it itself.
 */
export function installPackage(
	userFolder: string,
	{ timing = {} }: { timing?: Timing } = {},
): string {
	ensureBuilt();
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', ownPackageName());
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	for (const name of ['package.json', 'dist']) {
		cpSync(join(packageRoot, name), join(target, name), { recursive: true });
	}
	if (Object.keys(timing).length > 0) changeTiming(target, timing);
	return target;
}
