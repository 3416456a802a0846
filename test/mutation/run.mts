// What `npm run mutate -- PART` runs: changes the code in one place after the other, and tells which change no test notices.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { addUp, readReport } from './report.mts';
import type { Report } from './report.mts';

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

/** A file's own tests; those of its folder where it has none. With all tests a part would take days. */
function testsOf(file: string): string[] {
	const own = `test/${file.replace(/\.ts$/, '')}*.test.ts`;
	const hasOwn = globSync(own, { cwd: root }).length > 0;
	return [`**/${hasOwn ? own : `test/${join(file, '..')}/*.test.ts`}`];
}

function mutate(file: string): Report {
	const report = join(import.meta.dirname, 'node_modules', '.mutation', `${file}.json`);
	const stryker = join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const config = join(import.meta.dirname, 'stryker.config.mjs');
	const { status } = spawnSync(
		process.execPath,
		[join(import.meta.dirname, stryker), 'run', config, '--mutate', file],
		{
			cwd: root,
			env: {
				...process.env,
				MUTATION_TESTS: JSON.stringify(testsOf(file)),
				MUTATION_REPORT: report,
			},
			stdio: 'inherit',
		},
	);
	if (status !== 0) throw new Error(`The mutation tester could not do ${file}; see above.`);
	return readReport(report);
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

const reports: Report[] = [];
for (const file of files) {
	console.log(`\n${file}`);
	const report = mutate(file);
	reports.push(report);
	for (const survivor of report.survivors) console.log(`  ${file}:${survivor}`);
	console.log(`  ${report.noticed} of ${report.changes} changes noticed`);
}
const { noticed, changes } = addUp(reports);
console.log(
	`\n${name}: ${noticed} of ${changes} changes noticed, ${((100 * noticed) / Math.max(1, changes)).toFixed(1)} %`,
);
