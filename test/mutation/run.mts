// What `npm run mutate -- PART` runs: changes the code in one place after the other, and tells which change no test notices.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { missedOf, readReport, together } from './report.mts';
import type { Change } from './report.mts';

const root = join(import.meta.dirname, '..', '..');
const NODES = 'nodes/FormResponses';
const LONGEST_NAME = 120;

const parts: Record<string, string[]> = {
	actions: [
		`${NODES}/actions/**/*.ts`,
		`${NODES}/methods/*.ts`,
		`${NODES}/!(FormResponsesTrigger.node).ts`,
		'credentials/*.ts',
	],
	transport: [`${NODES}/transport/*.ts`],
	subscription: [
		`${NODES}/FormResponsesTrigger.node.ts`,
		`${NODES}/trigger/{subscription,renewal,hooks,start,identity,testListener}.ts`,
		`${NODES}/trigger/{state,storedState,version010,deliveryToken,timing}.ts`,
	],
	delivery: [`${NODES}/trigger/{delivery,received,lookUp,reachable,execution}.ts`],
	recovery: [`${NODES}/trigger/{recovery,polling,emission,silence,missed,lookInterval}.ts`],
	journal: [`${NODES}/trigger/journal.ts`],
	marks: [`${NODES}/trigger/{marks,atWork}.ts`],
};
/** Tests of the journal simulate many runs in several processes: other changes would wait for them. */
const isOfJournal = /\/(journal|marks|atWork)\.ts$/;

const ownTestsOf = (file: string) => `test/${file.replace(/\.ts$/, '')}*.test.ts`;
const testsOfFolder = (file: string) =>
	`test/${dirname(file)}/${isOfJournal.test(file) ? '*' : '!(journal*)'}.test.ts`;
const hasOwnTests = (file: string) => globSync(ownTestsOf(file), { cwd: root }).length > 0;

/** @param places files, or ranges in them */
function mutate(places: string[], tests: string[]): Change[] {
	const report = join(import.meta.dirname, 'node_modules', '.mutation.json');
	const stryker = join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const config = join(import.meta.dirname, 'stryker.config.mjs');
	const { status } = spawnSync(
		process.execPath,
		[join(import.meta.dirname, stryker), 'run', config, '--mutate', places.join()],
		{
			cwd: root,
			env: {
				...process.env,
				MUTATION_TESTS: JSON.stringify(tests.map((path) => `**/${path}`)),
				MUTATION_REPORT: report,
			},
			stdio: 'inherit',
		},
	);
	console.log();
	if (status !== 0) throw new Error('The mutation tester did not get to the end; see above.');
	return readReport(report);
}

const score = (changes: Change[]) => {
	const noticed = changes.length - missedOf(changes).length;
	const percent = ((100 * noticed) / Math.max(1, changes.length)).toFixed(1);
	const cutOff = changes.filter(({ isCutOff }) => isCutOff).length;
	const without = cutOff > 0 ? ` (${cutOff} of them because the tests did not get to the end)` : '';
	return `${noticed} of ${changes.length} changes noticed${without}, ${percent} %`;
};

/** The tests of one file find most, and in a moment; those of its folder take longer, and are asked for the rest. */
function changesOf(files: string[]): Change[] {
	const changes = files.filter(hasOwnTests).flatMap((file) => {
		console.log(`\n${file}, with its own tests`);
		const found = mutate([file], [ownTestsOf(file)]);
		console.log(score(found));
		return found;
	});
	const missed = missedOf(changes).map(({ file, range }) => `${file}:${range}`);
	const rest = [...files.filter((file) => !hasOwnTests(file)), ...new Set(missed)];
	if (rest.length === 0) return changes;
	console.log('\nWhat is left, with the tests of the folder');
	return together(changes, mutate(rest, [...new Set(files.map(testsOfFolder))]));
}

const filesOf = (places: string | string[]) => globSync(places, { cwd: root }).sort();

const ofNoPart = new Set(filesOf('{nodes,credentials}/**/*.ts'));
for (const file of Object.values(parts).flatMap(filesOf)) ofNoPart.delete(file);
if (ofNoPart.size > 0) throw new Error(`Of no part of the above: ${[...ofNoPart].join(', ')}`);

const [name = '', ...others] = process.argv.slice(2);
// A part, or a file: "nodes/FormResponses/transport/retry.ts".
const files = filesOf(Object.hasOwn(parts, name) ? parts[name]! : name);
if (files.length === 0 || others.length > 0) {
	const known = Object.keys(parts).join(', ');
	console.error(
		`Name what to change, one of ${known}, or a file: npm run mutate -- ${NODES}/output.ts`,
	);
	process.exit(1);
}

const all = changesOf(files);
if (all.length === 0) throw new Error(`There is nothing to change in ${name}.`);
for (const file of files) {
	const changes = all.filter((change) => change.file === file);
	if (changes.length === 0) continue;
	console.log(`\n${file}: ${score(changes)}`);
	for (const missed of missedOf(changes)) console.log(`  ${missed.name.slice(0, LONGEST_NAME)}`);
}
console.log(`\n${name}: ${score(all)}`);
