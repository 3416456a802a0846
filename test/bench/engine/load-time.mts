import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Prints how long the given files take to load, with n8n-workflow loaded as it is in n8n: `load-time.mts N8N FILE…` */
const [n8nFolder = '', ...files] = process.argv.slice(2);
const load = createRequire(join(n8nFolder, 'package.json'));
load('n8n-workflow');

const startedAt = performance.now();
for (const file of files) {
	const classes = load(file) as Record<string, new () => object>;
	for (const Class of Object.values(classes)) new Class();
}
console.log(performance.now() - startedAt);
