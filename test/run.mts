// `npm test`: everything that needs no whole n8n. With --n8n, as .ci/run has it: everything.
import { parseArgs } from 'node:util';
import { runStages } from './run/stages.mts';
import type { Stage } from './run/stages.mts';

const { values } = parseArgs({ options: { n8n: { type: 'boolean', default: false } } });

/** What others need. */
const build: Stage = { name: 'Types of the package, build', command: 'tsc -p . && gulp build' };

/** Takes a while, and no test of the quick ones needs it. */
const n8n: Stage = { name: 'Installation of n8n', command: 'node playground/setup.mjs n8n' };

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
	{ name: 'Test runner', command: 'node test/run/folder.mts test/run', hasTests: true },
	{ name: 'Playground', command: 'node test/run/folder.mts playground/test', hasTests: true },
];

/** Two of them side by side: one that works, and one that waits for faults to pass. */
const withN8n: Stage[] = ['test:e2e', 'test:promise', 'test:soak', 'test:queue'].map((script) => ({
	name: script,
	command: `npm run ${script}`,
	hasTests: true,
	isShown: true,
}));

const startedAt = performance.now();
const total = { passed: 0, failed: 0 };
for (const stages of [[build], values.n8n ? [n8n, ...quick] : quick, values.n8n ? withN8n : []]) {
	// What is quick to find is found in minutes.
	if (total.failed > 0) break;
	const { passed, failed } = await runStages(stages);
	total.passed += passed;
	total.failed += failed;
}
console.log(`\nTook ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
