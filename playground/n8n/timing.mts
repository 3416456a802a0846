import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds by the names of the trigger's own times. */
export type Timing = Record<string, number>;

/** Gives an installed copy of the package other times. */
export function overrideTiming(packageFolder: string, changes: Timing) {
	const file = join(packageFolder, 'dist', 'nodes', 'FormResponses', 'trigger.js');
	const text = readFileSync(file, 'utf8');
	const [declaration] = /\btiming = \{$.*?^\};$/ms.exec(text) ?? [];
	if (declaration === undefined) throw new Error(`${file} does not say what times it goes by.`);
	for (const name of Object.keys(changes)) {
		if (!declaration.includes(`\n\t${name}: `))
			throw new Error(`The trigger has no time called ${name}.`);
	}
	const changed = `${declaration}\nObject.assign(timing, ${JSON.stringify(changes)});`;
	writeFileSync(
		file,
		text.replace(declaration, () => changed),
	);
}
