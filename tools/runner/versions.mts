// `npm run test:versions [-- 2.33.7 …]`: the same end-to-end tests in each version of n8n.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';
import { n8nVersion } from '../../playground/n8n/version.mts';
import { install } from '../../playground/setup/install.mjs';
import { parts } from '../../playground/setup/parts.mjs';
import { markdownTable, writeDocumentPart } from '../document.mts';
import { conclude, countOf, runFiles, type TestResult } from './node-tests.mts';

/** What is tested in every version, by the file of test/n8n/end-to-end that tests it. */
const areas = {
	'lifecycle.test.mts': 'publishing, test events, unpublishing',
	'reliability.test.mts': 'the promise: each response runs, repeats and forgeries do not',
	'actions.test.mts': 'every action, bad input, error output',
	'faults.test.mts': 'faults of the service and the network, renewal of tokens',
	'origin.test.mts': 'credentials go to their own origin only',
	'tool.test.mts': 'as a tool of an AI agent',
};
const files = Object.keys(areas).map((name) =>
	join(packageRoot, 'test', 'n8n', 'end-to-end', name),
);

const earlier = Object.keys(parts).filter((name) => name.startsWith('n8n-'));
const folders: Record<string, string> = {
	...Object.fromEntries(earlier.map((name) => [name.replace('n8n-', ''), parts[name]!.folder])),
	[n8nVersion()]: process.env.N8N_DIR ?? parts.n8n!.folder,
};
const known = Object.keys(folders);
const asked = process.argv.slice(2);
const unknown = asked.filter((version) => !known.includes(version));
if (unknown.length > 0) {
	console.error(`No such version: ${unknown.join(', ')}. Versions: ${known.join(', ')}.`);
	process.exit(1);
}
const chosen = known.filter((version) => asked.length === 0 || asked.includes(version));
await install(earlier.filter((name) => chosen.includes(name.replace('n8n-', ''))));

const page = readFileSync(join(packageRoot, 'docs', 'compatibility.md'), 'utf8');
const rows = Object.fromEntries(
	[...page.matchAll(/^\| (\d\S+) \| (.+) \|$/gm)].map(([, version, cells]) => [version, cells!]),
);

function cellOf(results: TestResult[], name: string): string {
	const { passed, failed } = countOf(results.filter(({ file = '' }) => basename(file) === name));
	return failed === 0 ? `all ${passed}` : `**${passed} of ${passed + failed}**`;
}

const all: TestResult[] = [];
for (const version of chosen) {
	console.log(`\nn8n ${version}`);
	process.env.N8N_DIR = folders[version];
	const results = await runFiles(files, 2);
	all.push(...results);
	const cells = Object.keys(areas).map((name) => cellOf(results, name));
	rows[version] = [...cells, new Date().toISOString().slice(0, 10)].join(' | ');
}
const lines = known.flatMap((name) => (rows[name] ? [[name, rows[name]]] : []));
const table = markdownTable(['n8n', ...Object.values(areas), 'run on'], lines);
writeDocumentPart('docs/compatibility.md', 'versions', table);
console.log('\nWritten: docs/compatibility.md');
conclude(all);
