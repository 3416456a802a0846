// Whose package this is: npm run owner -- --organisation ORG --repository REPO --author NAME --email ADDRESS
// package.json says it; this writes it there and into every file that repeats it. Needs Node only.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { read, wanted, Refusal } from './owner/values.mjs';
import { changes } from './owner/mentions.mjs';
import { writeAll } from './owner/files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {import('./owner/values.mjs').Owner} owner */
const table = (owner) =>
	Object.entries(owner)
		.map(([name, value]) => `  ${name.padEnd(12)}  ${value}`)
		.join('\n');

try {
	const owner = read(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
	const { isDryRun, ...next } = wanted(process.argv.slice(2), owner);
	if (next.owner === undefined) {
		console.log(`package.json says:\n${table(owner)}\n`);
		console.log('To change one or more of them, add -- and flags, for example:');
		console.log('  npm run owner -- --organisation my-org --author "My Organisation" --dry-run');
	} else {
		const changed = changes(root, owner, next.owner);
		if (!isDryRun) writeAll(root, changed);
		console.log(`${table(next.owner)}\n`);
		if (changed.length === 0) console.log('Every file says so already. Nothing changed.');
		for (const { path } of changed) console.log(`${isDryRun ? 'Would change' : 'Changed'} ${path}`);
		if (changed.length > 0 && !isDryRun) console.log('\nNext: npm test, then commit.');
	}
} catch (error) {
	if (!(error instanceof Refusal)) throw error;
	console.error(`${error.message}\nNothing was changed.`);
	process.exitCode = 1;
}
