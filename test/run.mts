// What `npm test` runs. Everything that needs no whole n8n: see `stages`.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testsOfJest, testsOfLastLine } from './run/count.mts';
import type { Output } from './run/count.mts';

interface Stage {
	name: string;
	command: string;
	/** Of tests; a stage without any passes when its command does. */
	count?: typeof testsOfJest;
}

interface Result extends Output {
	isOk: boolean;
	output: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');

const stages: Stage[] = [
	{ name: 'Format', command: 'prettier --check .' },
	// n8n's own command lets warnings pass.
	{ name: 'Lint of the package', command: 'n8n-node lint && eslint --max-warnings 0 .' },
	{
		name: 'Lint of the rest',
		command: 'eslint --config eslint.rest.config.mjs --max-warnings 0 .',
	},
	{ name: 'Types of the package', command: 'tsc -p .' },
	{ name: 'Types of its tests', command: 'tsc -p test' },
	{ name: 'Types of the playground', command: 'tsc -p playground' },
	{ name: 'Types of the service', command: 'tsc -p playground/service' },
	{ name: 'Types of the benchmark', command: 'tsc -p test/bench' },
	{ name: 'Build', command: 'npm run build' },
	{ name: 'Unit and package tests', command: 'jest --json', count: testsOfJest },
	{ name: 'Test runner', command: 'node test/run/folder.mts test/run', count: testsOfLastLine },
	{
		name: 'Playground',
		command: 'node test/run/folder.mts playground/test',
		count: testsOfLastLine,
	},
	{
		name: 'Contract of the service',
		command: 'node test/run/folder.mts playground/service/test',
		count: testsOfLastLine,
	},
];

/** The package's own Node and tools come first, whatever the machine has. */
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
const nameWidth = Math.max(...stages.map(({ name }) => name.length));

async function runCommand(command: string): Promise<Result> {
	return await new Promise((resolve) => {
		const child = spawn(command, {
			cwd: root,
			env,
			shell: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		child.stdout.setEncoding('utf8');
		child.stderr.setEncoding('utf8');
		let [stdout, stderr, output] = ['', '', ''];
		child.stdout.on('data', (text: string) => ((stdout += text), (output += text)));
		child.stderr.on('data', (text: string) => ((stderr += text), (output += text)));
		child.on('error', (error) => (output += `${error.message}\n`));
		child.on('close', (code) => resolve({ isOk: code === 0, stdout, stderr, output }));
	});
}

/** What fails without a test counts as one that failed; what passes without a test does not count. */
function countOf({ count }: Stage, { isOk, ...output }: Result) {
	if (count === undefined) return { passed: 0, failed: isOk ? 0 : 1 };
	const tests = count(output) ?? { passed: 0, failed: 0 };
	const hasRun = isOk && tests.passed + tests.failed > 0;
	return { ...tests, failed: hasRun ? tests.failed : Math.max(1, tests.failed) };
}

const total = { passed: 0, failed: 0 };
const startedAt = performance.now();
const secondsSince = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

for (const stage of stages) {
	process.stdout.write(`${stage.name.padEnd(nameWidth)}  `);
	const stageStartedAt = performance.now();
	const result = await runCommand(stage.command);
	const { passed, failed, output = result.output } = countOf(stage, result);
	total.passed += passed;
	total.failed += failed;
	const counts = stage.count ? `, ${passed} passed, ${failed} failed` : '';
	console.log(`${failed === 0 ? 'ok' : 'FAILED'}  ${secondsSince(stageStartedAt)}${counts}`);
	if (failed > 0) console.log(`\n$ ${stage.command}\n${output.trimEnd()}\n`);
}

console.log(`\nTook ${secondsSince(startedAt)}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
