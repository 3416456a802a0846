// What `npm run test:versions [-- 2.33.7 …]` runs: the same end-to-end tests in each version of n8n.
import { join } from 'node:path';
import { n8nVersion } from '../../playground/n8n/version.mts';
import { install } from '../../playground/setup/install.mjs';
import { newest, parts } from '../../playground/setup/parts.mjs';
import { conclude, runFiles } from '../run/node-tests.mts';
import { areas } from './areas.mts';
import { writeDocuments } from './document.mts';
import { readResults, summarize, writeResults } from './results.mts';

const folderOfNewest = process.env.N8N_DIR;
const earlier = Object.keys(parts).filter((name) => name.startsWith('n8n-'));
const partOf = (version: string) => `n8n-${version}`;
const known = [...earlier.map((name) => name.replace('n8n-', '')), n8nVersion()];

const asked = process.argv.slice(2);
const unknown = asked.filter((version) => !known.includes(version));
if (unknown.length > 0) {
	console.error(`No such version: ${unknown.join(', ')}. Versions: ${known.join(', ')}.`);
	process.exit(1);
}
const chosen = known.filter((version) => asked.length === 0 || asked.includes(version));

const missing = chosen.map(partOf).filter((name) => earlier.includes(name));
if (missing.length > 0) await install(missing);

const files = Object.keys(areas).map((name) => join(import.meta.dirname, '..', 'e2e', name));
const results = readResults();
const total = { passed: 0, failed: 0 };
for (const [index, version] of chosen.entries()) {
	console.log(`\n[${index + 1}/${chosen.length}] n8n ${version}`);
	process.env.N8N_DIR = parts[partOf(version)]?.folder ?? folderOfNewest ?? newest.folder;
	const { passed, failed, tests } = await runFiles(files, { concurrency: 2 });
	const unexplained = tests.filter(({ skip, todo }) => skip === true || todo);
	for (const { name } of unexplained) {
		console.log(`Left out without a reason, which counts as failed: ${name}`);
	}
	total.passed += passed;
	total.failed += failed + unexplained.length;
	results[version] = { on: new Date().toISOString().slice(0, 10), failed, ...summarize(tests) };
}

writeDocuments(writeResults(results, known));
console.log('\nWritten: test/versions/results.json and docs/compatibility.md');
conclude(total);
