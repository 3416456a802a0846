// `npm test`: everything that needs no n8n. With --n8n, as .ci/run has it: everything.
import { runGroups, type Stages } from './run-stages.mts';

/** What others need. */
const build: Stages = { 'Types of the package, build': 'tsc -p . && gulp build' };

/** Takes a while, and no test of the quick ones needs it. */
const n8n: Stages = { 'Installation of n8n': 'node playground/setup.mjs mail n8n' };

/** Those that take longest come first. */
const tests: Stages = {
	'Unit and package tests': 'jest --maxWorkers 2',
	'Contract of the service': 'node tools/runner/folder.mts playground/service/test',
	Playground: 'node tools/runner/folder.mts playground/test',
	Tools: 'node tools/runner/folder.mts tools/runner tools/bench',
};

const checks: Stages = {
	'Lint of the rest': 'eslint --config eslint.rest.config.mjs --max-warnings 0 .',
	'Types of the tests': 'tsc -p test',
	'Lint of the package': 'eslint --max-warnings 0 .',
	Format: 'prettier --check .',
	'Types of the playground': 'tsc -p playground',
	Imports: 'depcruise nodes credentials dist playground tools test',
	'Unused code': 'knip',
};

/** Those that use most of the machine. The limit of requests comes so late that it has only light ones beside it. */
const first = ['end-to-end/reliability', 'outages/unplanned', 'outages/time-limit']
	.map((name) => `test/n8n/${name}.test.mts`)
	.join(' ');

/** Queue mode and the soak wait more than they work; three of the other files use nearly all of two cores. */
const inN8n: Stages[] = [
	{
		'Tests in queue mode': 'node tools/runner/folder.mts test/n8n/queue --at-once 3',
		...checks,
	},
	{
		'Tests in n8n': `node tools/runner/folder.mts --at-once 3 ${first} test/n8n/outages test/n8n/end-to-end`,
	},
	{ Soak: 'node tools/runner/folder.mts --at-once 2 test/n8n/soak/soak.test.mts test/n8n/soak' },
];

if (process.argv.includes('--n8n')) await runGroups(build, { ...n8n, ...tests }, ...inN8n);
else await runGroups(build, { ...tests, ...checks });
