// `npm test`: everything that needs no whole n8n. With --n8n, as .ci/run has it: everything.
import { runGroups, type Stage } from './run/stages.mts';

/** What others need. */
const build: Stage = { name: 'Types of the package, build', command: 'tsc -p . && gulp build' };

/** Takes a while, and no test of the quick ones needs it. */
const n8n: Stage = { name: 'Installation of n8n', command: 'node playground/setup.mjs mail n8n' };

/** Those that take longest come first. */
const quick: Stage[] = [
	{ name: 'Unit and package tests', command: 'jest', hasTests: true },
	{
		name: 'Contract of the service',
		command: 'node test/run/folder.mts playground/service/test',
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
	{ name: 'Types of the benchmark', command: 'tsc -p test/bench' },
	{ name: 'Imports', command: 'depcruise nodes credentials dist playground scripts test' },
	{ name: 'Unused code', command: 'knip' },
	{ name: 'Test runner', command: 'node test/run/folder.mts test/run test/bench', hasTests: true },
	{ name: 'Playground', command: 'node test/run/folder.mts playground/test', hasTests: true },
];

/** Those that use most of the machine. The limit of requests comes so late that it has only light ones beside it. */
const first = ['e2e/reliability', 'promise/unplanned', 'promise/time-limit']
	.map((name) => `test/${name}.test.mts`)
	.join(' ');

/** Three files use nearly all of two cores, and so does queue mode. What is beside the soak waits more than it works. */
const inN8n = [
	{ name: 'Tests in queue mode', command: 'node test/run/folder.mts test/queue' },
	{
		name: 'Tests in n8n',
		command: `node test/run/folder.mts --at-once 3 ${first} test/promise test/e2e`,
	},
	{
		name: 'Soak',
		command: 'node test/run/folder.mts --at-once 2 test/soak/soak.test.mts test/soak',
	},
].map((stage): Stage[] => [{ ...stage, hasTests: true, isShown: true }]);

const isEverything = process.argv.includes('--n8n');
await runGroups(isEverything ? [[build], [n8n, ...quick], ...inN8n] : [[build], quick]);
