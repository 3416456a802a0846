import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';

export interface Stage {
	name: string;
	command: string;
	/** Of which at least one has to pass. */
	hasTests?: boolean;
	/** Whether its output is shown where it passes too. */
	isShown?: boolean;
}

/** The package's own Node and tools come first, whatever the machine has. */
const bin = join(packageRoot, 'node_modules', '.bin');
const env = { ...process.env, FORCE_COLOR: '0', PATH: `${bin}${delimiter}${process.env.PATH}` };

const PROGRESS_MS = 60_000;
const secondsSince = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

/** By our own last line, or that of Jest: "Tests: 1 failed, 2 skipped, 9 passed, 12 total". */
function testsIn(output: string) {
	const line = output.match(/^(Tests: .+|\d+ passed, \d+ failed)$/gm)?.at(-1) ?? '';
	const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(line)?.[1] ?? 0);
	return { passed: count('passed'), failed: count('failed') + count('skipped') + count('todo') };
}

async function runStage({ name, command, hasTests, isShown }: Stage) {
	const start = performance.now();
	const child = spawn(command, { cwd: packageRoot, env, shell: true });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const showProgress = () =>
		console.log(`${name}, ${secondsSince(start)} so far: ${output.trimEnd().split('\n').at(-1)}`);
	const progress = setInterval(showProgress, PROGRESS_MS);
	const code = await new Promise((resolve) => child.on('close', resolve));
	clearInterval(progress);

	const { passed, failed } = testsIn(output);
	const isGood = code === 0 && failed === 0 && (passed > 0 || !hasTests);
	if (!isGood || isShown) console.log(`\n$ ${command}\n${output.trimEnd()}\n`);
	const tests = hasTests ? `, ${passed} passed, ${failed} failed` : '';
	console.log(`${isGood ? 'ok    ' : 'FAILED'}  ${name}, ${secondsSince(start)}${tests}`);
	// What fails without a test counts as one that failed.
	return { passed, failed: isGood ? 0 : Math.max(1, failed) };
}

/** Runs group after group, two stages of each at a time, unless something failed before. */
export async function runGroups(groups: Stage[][]) {
	const start = performance.now();
	const total = { passed: 0, failed: 0 };
	async function runOneByOne(waiting: Stage[]) {
		for (let stage = waiting.shift(); stage; stage = waiting.shift()) {
			const { passed, failed } = await runStage(stage);
			total.passed += passed;
			total.failed += failed;
		}
	}
	for (const group of groups) {
		const waiting = total.failed === 0 ? [...group] : [];
		await Promise.all([runOneByOne(waiting), runOneByOne(waiting)]);
	}
	console.log(`\nTook ${secondsSince(start)}\n${total.passed} passed, ${total.failed} failed`);
	process.exitCode = total.failed === 0 ? 0 : 1;
}
