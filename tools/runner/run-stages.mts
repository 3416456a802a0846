import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';

/** Commands by what they check, or do for those that follow. */
export type Stages = Record<string, string>;

/** The package's own Node and tools come first, whatever the machine has. */
const bin = join(packageRoot, 'node_modules', '.bin');
const env = { ...process.env, FORCE_COLOR: '0', PATH: `${bin}${delimiter}${process.env.PATH}` };

/** Some wait more than they work. */
const AT_ONCE = 3;
const PROGRESS_MS = 60_000;
const secondsSince = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

/** By our own last line, or that of Jest: "Tests: 1 failed, 2 skipped, 9 passed, 12 total". */
function testsIn(output: string) {
	const line = output.match(/^(Tests: .+|\d+ passed, \d+ failed)$/gm)?.at(-1) ?? '';
	const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(line)?.[1] ?? 0);
	return { passed: count('passed'), failed: count('failed') + count('skipped') + count('todo') };
}

async function runStage(name: string, command: string) {
	const start = performance.now();
	const child = spawn(command, { cwd: packageRoot, env, shell: true });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const showProgress = () =>
		console.log(`${name}, ${secondsSince(start)} so far: ${output.trimEnd().split('\n').at(-1)}`);
	const progress = setInterval(showProgress, PROGRESS_MS);
	const [code] = await once(child, 'close');
	clearInterval(progress);

	const hasTests = /^jest|^node tools\/runner\/folder/.test(command);
	const { passed, failed } = testsIn(output);
	const isGood = code === 0 && failed === 0 && (passed > 0 || !hasTests);
	// A run in n8n is kept as a whole: it tells what was slow.
	if (!isGood || command.includes('test/n8n')) console.log(`\n$ ${command}\n${output.trimEnd()}\n`);
	const tests = hasTests ? `, ${passed} passed, ${failed} failed` : '';
	console.log(`${isGood ? 'ok    ' : 'FAILED'}  ${name}, ${secondsSince(start)}${tests}`);
	// A stage that fails without a failed test counts as one.
	return { passed, failed: isGood ? 0 : Math.max(1, failed) };
}

/** Runs group after group, some stages of each at a time, until one fails. */
export async function runGroups(...groups: Stages[]) {
	const start = performance.now();
	const total = { passed: 0, failed: 0 };
	for (const group of groups) {
		if (total.failed > 0) break;
		const waiting = Object.entries(group).values();
		/** Side by side they take the next one from the same iterator. */
		const runOneByOne = async () => {
			for (const [name, command] of waiting) {
				const { passed, failed } = await runStage(name, command);
				total.passed += passed;
				total.failed += failed;
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, runOneByOne));
	}
	console.log(`\nTook ${secondsSince(start)}\n${total.passed} passed, ${total.failed} failed`);
	process.exitCode = total.failed === 0 ? 0 : 1;
}
