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

export interface Counts {
	passed: number;
	failed: number;
}

/** The package's own Node and tools come first, whatever the machine has. */
const bin = join(packageRoot, 'node_modules', '.bin');
const env = { ...process.env, FORCE_COLOR: '0', PATH: `${bin}${delimiter}${process.env.PATH}` };

const AT_ONCE = 2;
const PROGRESS_MS = 60_000;

const secondsSince = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

/** What the last line of our own commands says, or that of Jest: "Tests: 1 failed, 2 skipped, 9 passed, 12 total". */
function testsIn(output: string): Counts {
	const line = output.match(/^(Tests: .+|\d+ passed, \d+ failed)$/gm)?.at(-1) ?? '';
	const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(line)?.[1] ?? 0);
	return { passed: count('passed'), failed: count('failed') + count('skipped') + count('todo') };
}

/** What fails without a test counts as one that failed; what passes without a test does not count. */
function countOf({ hasTests }: Stage, isOk: boolean, output: string): Counts {
	const { passed, failed } = hasTests ? testsIn(output) : { passed: 0, failed: 0 };
	const isGood = isOk && (passed > 0 || !hasTests);
	return { passed, failed: isGood ? failed : Math.max(1, failed) };
}

async function runStage(stage: Stage): Promise<Counts> {
	const start = performance.now();
	const child = spawn(stage.command, { cwd: packageRoot, env, shell: true });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const showProgress = () => {
		const lastLine = output.trimEnd().split('\n').at(-1);
		console.log(`... ${stage.name}, ${secondsSince(start)} so far: ${lastLine}`);
	};
	const progress = setInterval(showProgress, PROGRESS_MS);
	const code = await new Promise((resolve) => child.on('close', resolve));
	clearInterval(progress);

	const { passed, failed } = countOf(stage, code === 0, output);
	if (failed > 0 || stage.isShown) console.log(`\n$ ${stage.command}\n${output.trimEnd()}\n`);
	const counts = stage.hasTests ? `, ${passed} passed, ${failed} failed` : '';
	console.log(
		`${failed === 0 ? 'ok    ' : 'FAILED'}  ${stage.name}, ${secondsSince(start)}${counts}`,
	);
	return { passed, failed };
}

/** Runs them in their order, two at a time; the output of each is shown as a whole. */
export async function runStages(stages: Stage[]): Promise<Counts> {
	const waiting = [...stages];
	const total = { passed: 0, failed: 0 };
	const runOneByOne = async () => {
		for (let stage = waiting.shift(); stage; stage = waiting.shift()) {
			const { passed, failed } = await runStage(stage);
			total.passed += passed;
			total.failed += failed;
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, runOneByOne));
	return total;
}
