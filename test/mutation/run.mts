// What `npm run mutate -- PART` runs: changes the code in one place after the other, and tells which change no test notices.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { missedOf, readReport, together } from './report.mts';
import type { Change } from './report.mts';

const root = join(import.meta.dirname, '..', '..');
const NODES = 'nodes/FormResponses';

const parts: Record<string, string[]> = {
	actions: [
		`${NODES}/actions/**/*.ts`,
		`${NODES}/methods/*.ts`,
		`${NODES}/*.ts`,
		'credentials/*.ts',
	],
	transport: [`${NODES}/transport/*.ts`],
	trigger: [`${NODES}/trigger/*.ts`],
};

/** Tests of the file only, and of its folder: with all of them a part would take days. */
const testsOf = (file: string) => ({
	own: `test/${file.replace(/\.ts$/, '')}*.test.ts`,
	ofFolder: `test/${dirname(file)}/**/*.test.ts`,
});

/** @param ranges of the file, where only these are to be changed */
function mutate(file: string, tests: string, ranges: string[] = []): Change[] {
	const report = join(import.meta.dirname, 'node_modules', '.mutation', `${file}.json`);
	const stryker = join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const config = join(import.meta.dirname, 'stryker.config.mjs');
	const places = ranges.length === 0 ? [file] : ranges.map((range) => `${file}:${range}`);
	const { status } = spawnSync(
		process.execPath,
		[join(import.meta.dirname, stryker), 'run', config, '--mutate', places.join()],
		{
			cwd: root,
			env: {
				...process.env,
				MUTATION_TESTS: JSON.stringify([`**/${tests}`]),
				MUTATION_REPORT: report,
			},
			stdio: 'inherit',
		},
	);
	if (status !== 0) throw new Error(`The mutation tester could not do ${file}; see above.`);
	return readReport(report);
}

/** What the file's own tests miss is tried again with those of the folder, which take longer. */
function changesOf(file: string): Change[] {
	const { own, ofFolder } = testsOf(file);
	if (globSync(own, { cwd: root }).length === 0) return mutate(file, ofFolder);
	const changes = mutate(file, own);
	const missed = missedOf(changes);
	if (missed.length === 0) return changes;
	const ranges = missed.map(({ range }) => range);
	return together(changes, mutate(file, ofFolder, ranges));
}

const [name = ''] = process.argv.slice(2);
// A part, or a file: "nodes/FormResponses/transport/retry.ts".
const files = Object.hasOwn(parts, name)
	? globSync(parts[name]!, { cwd: root }).sort()
	: globSync(name, { cwd: root });
if (files.length === 0) {
	const known = Object.keys(parts).join(', ');
	console.error(
		`Name what to change, one of ${known}, or a file: npm run mutate -- ${NODES}/output.ts`,
	);
	process.exit(1);
}

const score = (changes: Change[]) =>
	`${changes.length - missedOf(changes).length} of ${changes.length} changes noticed`;

const all: Change[] = [];
for (const file of files) {
	console.log(`\n${file}`);
	const changes = changesOf(file);
	all.push(...changes);
	console.log();
	for (const missed of missedOf(changes)) console.log(`  ${file}:${missed.name}`);
	console.log(`  ${score(changes)}`);
}
const percent = (100 * (all.length - missedOf(all).length)) / Math.max(1, all.length);
console.log(`\n${name}: ${score(all)}, ${percent.toFixed(1)} %`);
