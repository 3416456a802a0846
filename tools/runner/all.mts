// `npm test`: everything that needs no whole n8n. With --n8n, as .ci/run has it: everything.
import { runGroups, type Stage } from './stages.mts';

/** What others need. */
const build: Stage = { name: 'Types of the package, build', command: 'tsc -p . && gulp build' };

/** Takes a while, and no test of the quick ones needs it. */
const n8n: Stage = { name: 'Installation of n8n', command: 'node playground/setup.mjs mail n8n' };

/** Those that take longest come first. */
const quick: Stage[] = [
	{ name: 'Unit and package tests', command: 'jest', hasTests: true },
	{
		name: 'Contract of the service',
		command: 'node tools/runner/folder.mts playground/service/test',
		hasTests: true,
	},
	{
		name: 'Lint of the rest',
		command: 'eslint --config eslint.rest.config.mjs --max-warnings 0 .',
	},
	{ name: 'Types of the tests', command: 'tsc -p test' },
	{ name: 'Lint of the package', command: 'eslint --max-warnings 0 .' },
	{ name: 'Format', command: 'prettier --check .' },
	{ name: 'Types of the playground', command: 'tsc -p playground' },
	{ name: 'Types of the benchmark', command: 'tsc -p tools/bench' },
	{ name: 'Imports', command: 'depcruise nodes credentials dist playground tools test' },
	{ name: 'Unused code', command: 'knip' },
	{
		name: 'Tools',
		command: 'node tools/runner/folder.mts tools/runner tools/bench',
		hasTests: true,
	},
	{ name: 'Playground', command: 'node tools/runner/folder.mts playground/test', hasTests: true },
];

/** Those that use most of the machine. The limit of requests comes so late that it has only light ones beside it. */
const first = ['end-to-end/reliability', 'outages/unplanned', 'outages/time-limit']
	.map((name) => `test/n8n/${name}.test.mts`)
	.join(' ');

/** Three files use nearly all of two cores, and so does queue mode. What is beside the soak waits more than it works. */
const inN8n = [
	{ name: 'Tests in queue mode', command: 'node tools/runner/folder.mts test/n8n/queue' },
	{
		name: 'Tests in n8n',
		command: `node tools/runner/folder.mts --at-once 3 ${first} test/n8n/outages test/n8n/end-to-end`,
	},
	{
		name: 'Soak',
		command: 'node tools/runner/folder.mts --at-once 2 test/n8n/soak/soak.test.mts test/n8n/soak',
	},
].map((stage): Stage[] => [{ ...stage, hasTests: true, isShown: true }]);

const isEverything = process.argv.includes('--n8n');
await runGroups(isEverything ? [[build], [n8n, ...quick], ...inN8n] : [[build], quick]);
