import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureBuilt } from '../../playground/n8n/build.mts';

export interface TestResult {
	name: string;
	file?: string;
	isPassed: boolean;
}

const noQuietEnd = new URL('no-quiet-end.mts', import.meta.url).href;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.once(signal, () => stopping.abort());
}

/** Runs test files, so many at once, showing how it goes. */
export async function runFiles(files: string[], concurrency: number): Promise<TestResult[]> {
	// Each file builds the package if it has changed. Side by side, two would build at once.
	if (concurrency > 1) ensureBuilt();
	const execArgv = ['--import', noQuietEnd];
	const stream = run({ files, concurrency, execArgv, signal: stopping.signal });
	const results: TestResult[] = [];
	const quiet: string[] = [];
	// node:test reports a suite right after its tests, even while files run side by side.
	let nestingBefore = 0;
	stream.on('test:pass', ({ name, file, nesting, details, skip, todo, ...event }) => {
		const isSuite = details.type === 'suite';
		// node:test reports a file without tests as a passed test with the file's name.
		const isEmpty = isSuite ? nestingBefore <= nesting : files.includes(name);
		nestingBefore = nesting;
		const isSkippedForAReason = typeof skip === 'string';
		if (!isEmpty && (isSuite || isSkippedForAReason)) return;
		const isPassed = !isEmpty && !skip && todo === undefined && !('expectFailure' in event);
		if (!isPassed) quiet.push(name);
		results.push({ name, file, isPassed });
	});
	stream.on('test:fail', ({ name, file, nesting, details }) => {
		nestingBefore = nesting;
		const { failureType } = details.error as { failureType?: string };
		if (failureType !== 'subtestsFailed') results.push({ name, file, isPassed: false });
	});
	for await (const text of stream.compose(spec)) process.stdout.write(text);
	for (const name of quiet) console.log(`"${name}" tested nothing, which counts as failed.`);
	return results;
}

export function countOf(results: TestResult[]) {
	const passed = results.filter(({ isPassed }) => isPassed).length;
	return { passed, failed: results.length - passed };
}

/** The last line of a test command, and its exit code. */
export function conclude(results: TestResult[]) {
	const { passed, failed } = countOf(results);
	const isGood = failed === 0 && passed > 0;
	console.log(`${passed} passed, ${isGood ? 0 : Math.max(1, failed)} failed`);
	process.exitCode = isGood ? 0 : 1;
}
