import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { ensureBuilt } from '../../playground/n8n/build.mts';

export interface TestResult {
	name: string;
	file?: string;
	/** Why it counts as failed. */
	problem?: string;
	/** Why it was skipped, which counts as nothing. */
	skipped?: string;
}

const noQuietEnd = new URL('no-quiet-end.mts', import.meta.url).href;
const FAILED = 'failed';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.once(signal, () => stopping.abort());
}

/** Runs test files, so many at once, showing how it goes. */
export async function runFiles(files: string[], { concurrency = 1 } = {}): Promise<TestResult[]> {
	// Each file builds the package where it has changed; side by side they would do so at the same time.
	if (concurrency > 1) ensureBuilt();
	const stream = run({
		files,
		concurrency,
		execArgv: ['--import', noQuietEnd],
		signal: stopping.signal,
	});
	const results: TestResult[] = [];
	// A suite is told of directly after what it holds, also of files that run side by side.
	let nestingBefore = 0;
	stream.on('test:pass', ({ name, file, nesting, details, skip, todo, ...event }) => {
		const isSuite = details.type === 'suite';
		// node:test takes a file without tests for a test of the file's name, which passes.
		const isEmpty = isSuite ? nestingBefore <= nesting : files.includes(name);
		nestingBefore = nesting;
		const test = { name, file };
		if (isEmpty) results.push({ ...test, problem: 'holds no test' });
		else if (isSuite) return;
		else if (typeof skip === 'string') results.push({ ...test, skipped: skip });
		else if (skip) results.push({ ...test, problem: 'is skipped without a reason' });
		else if (todo !== undefined) results.push({ ...test, problem: 'is left to do' });
		else if ('expectFailure' in event) results.push({ ...test, problem: 'passes if it fails' });
		else results.push(test);
	});
	stream.on('test:fail', ({ name, file, nesting, details }) => {
		nestingBefore = nesting;
		const { failureType } = details.error as { failureType?: string };
		if (failureType !== 'subtestsFailed') results.push({ name, file, problem: FAILED });
	});
	for await (const text of stream.compose(spec)) process.stdout.write(text);
	for (const { name, problem = FAILED } of results) {
		if (problem !== FAILED) console.log(`"${name}" ${problem}, which counts as failed.`);
	}
	return results;
}

export function countOf(results: TestResult[]) {
	const failed = results.filter(({ problem }) => problem !== undefined).length;
	const skipped = results.filter((result) => result.skipped !== undefined).length;
	return { passed: results.length - failed - skipped, failed };
}

/** The last line of a test command, and its exit code. */
export function conclude(results: TestResult[]) {
	const { passed, failed } = countOf(results);
	const isGood = failed === 0 && passed > 0;
	console.log(`${passed} passed, ${isGood ? 0 : Math.max(1, failed)} failed`);
	process.exitCode = isGood ? 0 : 1;
}
