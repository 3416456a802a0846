// What `npm test` runs. Everything that needs no whole n8n: see `stages`.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testsOfJest, testsOfNode } from './run/count.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');

const stages = [
	{ name: 'Format', command: 'prettier --check .' },
	{ name: 'Lint', command: 'n8n-node lint' },
	{ name: 'Types of the package', command: 'tsc -p .' },
	{ name: 'Types of the tests', command: 'tsc -p test' },
	{ name: 'Types of the playground', command: 'tsc -p playground' },
	{ name: 'Types of the service', command: 'tsc -p playground/service' },
	{ name: 'Build', command: 'npm run build' },
	{ name: 'Unit and package tests', command: 'jest --json', count: testsOfJest },
	{
		name: 'Contract tests of the service',
		command: 'node --test --test-reporter=spec "playground/service/test/*.test.mts"',
		count: testsOfNode,
	},
];

/** The package's own Node and tools come first, whatever the machine has. */
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
const nameWidth = Math.max(...stages.map(({ name }) => name.length));

function runCommand(command) {
	return new Promise((resolve) => {
		const child = spawn(command, {
			cwd: root,
			env,
			shell: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		child.stdout.setEncoding('utf8');
		child.stderr.setEncoding('utf8');
		let stdout = '';
		let stderr = '';
		let output = '';
		child.stdout.on('data', (text) => ((stdout += text), (output += text)));
		child.stderr.on('data', (text) => ((stderr += text), (output += text)));
		child.on('error', (error) => (output += `${error.message}\n`));
		child.on('close', (code) => resolve({ isOk: code === 0, stdout, stderr, output }));
	});
}

/** A stage without tests counts as one; so does a failure that no test accounts for. */
function countOf({ count }, { isOk, stdout, stderr }) {
	if (count === undefined) return { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1 };
	const tests = count({ stdout, stderr }) ?? { passed: 0, failed: 0 };
	const hasRun = isOk && tests.passed + tests.failed > 0;
	return { ...tests, failed: hasRun ? tests.failed : Math.max(1, tests.failed) };
}

const total = { passed: 0, failed: 0 };
const startedAt = performance.now();
const secondsSince = (start) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

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
