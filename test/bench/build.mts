import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names what was measured: the same for the same built files, whatever the version says. */
export function buildOf(packageFolder: string): string {
	const hash = createHash('sha256');
	const dist = join(packageFolder, 'dist');
	const files = readdirSync(dist, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
	for (const file of files) hash.update(file.slice(dist.length)).update(readFileSync(file));
	return hash.digest('hex').slice(0, 8);
}
