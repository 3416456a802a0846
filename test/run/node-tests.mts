import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureBuilt } from '../../playground/n8n/build.mts';

const noQuietEnd = new URL('no-quiet-end.mts', import.meta.url).href;

export interface Counts {
	passed: number;
	/** Failures, those of whole files included. */
	failed: number;
}

export interface TestEvent {
	name: string;
	file?: string;
	isPassed: boolean;
	/** True, or the reason. */
	skip?: boolean | string;
	todo?: boolean | string;
}

export interface TestRun extends Counts {
	/** Skipped, or left to do. */
	leftOut: number;
	/** Each by itself, suites left out. */
	tests: TestEvent[];
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.once(signal, () => stopping.abort());
}

/** Runs test files, so many at once, showing how it goes. */
export async function runFiles(files: string[], { concurrency = 1 } = {}): Promise<TestRun> {
	// Each file builds the package where it has changed; side by side they would do so at the same time.
	if (concurrency > 1) ensureBuilt();
	const stream = run({
		files,
		concurrency,
		execArgv: ['--import', noQuietEnd],
		signal: stopping.signal,
	});
	let success = false;
	let counts = { tests: 0, passed: 0, skipped: 0, todo: 0 };
	// Those with a `file` count that file alone.
	stream.on('test:summary', (summary) => {
		if (summary.file === undefined) ({ success, counts } = summary);
	});
	const tests: TestEvent[] = [];
	// node:test takes a file without tests for a test of the file's name, which passes.
	const emptyFiles: string[] = [];
	// A suite is told of directly after what it holds, also of files that run side by side.
	const emptySuites: string[] = [];
	// Passed because they failed.
	const expectedToFail: string[] = [];
	let nestingBefore = 0;
	stream.on('test:pass', (event) => {
		if ('expectFailure' in event) expectedToFail.push(event.name);
		const isSuite = event.details.type === 'suite';
		const isEmpty = nestingBefore <= event.nesting;
		nestingBefore = event.nesting;
		if (files.includes(event.name)) emptyFiles.push(event.name);
		else if (!isSuite) tests.push({ ...event, isPassed: true });
		else if (isEmpty) emptySuites.push(event.name);
	});
	stream.on('test:fail', (event) => {
		nestingBefore = event.nesting;
		if (event.details.type !== 'suite') tests.push({ ...event, isPassed: false });
	});
	for await (const text of stream.compose(spec)) process.stdout.write(text);
	for (const name of [...emptyFiles, ...emptySuites]) {
		console.log(`No test in ${name}, which counts as failed.`);
	}
	for (const name of expectedToFail) {
		console.log(`Expected to fail, which counts as failed: ${name}`);
	}

	const { tests: all, skipped, todo } = counts;
	const passed = counts.passed - emptyFiles.length - expectedToFail.length;
	const failed = all - passed - skipped - todo + emptySuites.length;
	// A file or a hook can fail without a test in it.
	const isGood = success && passed + failed > 0;
	return {
		passed,
		failed: isGood ? failed : Math.max(1, failed),
		leftOut: skipped + todo,
		tests,
	};
}

/** The last line of a test command, and its exit code. */
export function conclude({ passed, failed }: Counts) {
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}
