// `npm run test:versions [-- 2.33.7 …]`: the same end-to-end tests in each version of n8n.
import { basename, join } from 'node:path';
import { n8nVersion } from '../../playground/n8n/version.mts';
import { install } from '../../playground/setup/install.mjs';
import { parts } from '../../playground/setup/parts.mjs';
import { conclude, countOf, runFiles } from '../run/node-tests.mts';
import type { TestResult } from '../run/node-tests.mts';
import { writeRow } from './page.mts';

/** What is tested in every version, by the file of test/e2e that tests it. */
const areas = {
	'lifecycle.test.mts': 'publishing, test events, unpublishing',
	'reliability.test.mts': 'the promise: nothing lost, nothing twice, nobody in',
	'actions.test.mts': 'every action, bad input, error output',
	'faults.test.mts': 'faults of the service and the network, renewal of tokens',
	'origin.test.mts': 'credentials go to their own origin only',
	'tool.test.mts': 'as a tool of an AI agent',
};
const files = Object.keys(areas).map((name) => join(import.meta.dirname, '..', 'e2e', name));

const newest = n8nVersion();
const folders: Record<string, string | undefined> = {
	...Object.fromEntries(
		Object.entries(parts).map(([name, { folder }]) => [name.replace('n8n-', ''), folder]),
	),
	[newest]: process.env.N8N_DIR ?? parts.n8n!.folder,
};
const known = Object.keys(folders).filter((name) => /^\d/.test(name));

const asked = process.argv.slice(2);
const unknown = asked.filter((version) => !known.includes(version));
if (unknown.length > 0) {
	console.error(`No such version: ${unknown.join(', ')}. Versions: ${known.join(', ')}.`);
	process.exit(1);
}
const chosen = known.filter((version) => asked.length === 0 || asked.includes(version));
const missing = chosen.map((version) => `n8n-${version}`).filter((name) => name in parts);
if (missing.length > 0) await install(missing);

function cellOf(results: TestResult[], file: string): string {
	const { passed, failed } = countOf(results.filter((result) => basename(result.file!) === file));
	return failed === 0 ? `all ${passed}` : `**${passed} of ${passed + failed}**`;
}

const all: TestResult[] = [];
for (const version of chosen) {
	console.log(`\nn8n ${version}, of ${chosen.join(', ')}`);
	process.env.N8N_DIR = folders[version];
	const results = await runFiles(files, { concurrency: 2 });
	all.push(...results);
	const lacking = new Set(results.flatMap(({ skipped }) => skipped ?? []));
	const cells = Object.keys(areas).map((file) => cellOf(results, file));
	const day = new Date().toISOString().slice(0, 10);
	writeRow('versions', ['n8n', ...Object.values(areas), 'run on'], [version, ...cells, day], known);
	const reasons = [...lacking].join('; ') || '-';
	writeRow(
		'lacking',
		['n8n', 'what it lacks, so that a test is left out'],
		[version, reasons],
		known,
	);
}
console.log('\nWritten: docs/compatibility.md');
conclude(all);
