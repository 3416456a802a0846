import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const endOnSignal = new URL('end-on-signal.mjs', import.meta.url).href;

/** One that hangs must not keep the others from being counted. */
const LONGEST_MS = 25 * 60_000;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

/**
 * Runs test files, so many at once, showing how it goes.
 *
 * @returns how many passed and failed, and each test by itself, suites left out
 */
export async function runFiles(files, { concurrency = 1 } = {}) {
	const stream = run({
		files,
		concurrency,
		timeout: LONGEST_MS,
		execArgv: ['--import', endOnSignal],
		signal: stopping.signal,
	});
	let result = { success: false, counts: { passed: 0, failed: 0, cancelled: 0 } };
	// Those with a `file` count that file alone.
	stream.on('test:summary', (summary) => {
		if (summary.file === undefined) result = summary;
	});
	const tests = [];
	const note = (isPassed) => (event) => {
		if (event.details.type !== 'suite') tests.push({ ...event, isPassed });
	};
	stream.on('test:pass', note(true)).on('test:fail', note(false));
	for await (const text of stream.compose(spec)) process.stdout.write(text);

	const { passed, failed, cancelled } = result.counts;
	// A file or a hook can fail without a test in it.
	const isEmpty = passed + failed + cancelled === 0;
	return {
		passed,
		failed: Math.max(failed + cancelled, result.success && !isEmpty ? 0 : 1),
		tests,
	};
}

/** The last line of a test command, and its exit code. */
export function conclude({ passed, failed }) {
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}

/** Runs a folder's *.test.mts; the last line counts. */
export async function runNodeTests(folder, options) {
	conclude(await runFiles(globSync(join(folder, '*.test.mts')).sort(), options));
}
