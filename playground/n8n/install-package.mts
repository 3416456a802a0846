import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, packageRoot } from './build.mts';

/** Milliseconds by the keys of trigger/timing.ts. */
type Timing = Record<string, number>;

export interface PackageOptions {
	/** Overrides times that are too long for a test. */
	timing?: Timing;
	alsoInstall?: (userFolder: string) => void;
}

function overrideTiming(packageFolder: string, changes: Timing) {
	const file = join(packageFolder, 'dist', 'nodes', 'shared.js');
	const text = readFileSync(file, 'utf8');
	const declaration = /\btiming = \{$.*?^\};$/ms.exec(text)?.[0] ?? '';
	for (const name of Object.keys(changes)) {
		if (!declaration.includes(`\n\t${name}: `)) throw new Error(`No time called ${name}: ${file}`);
	}
	const changed = `${declaration}\nObject.assign(timing, ${JSON.stringify(changes)});`;
	writeFileSync(file, text.replace(declaration, changed));
}

/** n8n loads every package in this folder, however it got there. */
export function packageFolderIn(userFolder: string): string {
	const { name } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
	return join(userFolder, '.n8n', 'nodes', 'node_modules', name);
}

/** Installs only what would be published. */
export function installPackage(userFolder: string, { timing, alsoInstall }: PackageOptions = {}) {
	ensureBuilt();
	const target = packageFolderIn(userFolder);
	mkdirSync(target, { recursive: true });
	for (const name of ['package.json', 'dist']) {
		rmSync(join(target, name), { recursive: true, force: true });
		cpSync(join(packageRoot, name), join(target, name), { recursive: true });
	}
	if (timing) overrideTiming(target, timing);
	alsoInstall?.(userFolder);
}
