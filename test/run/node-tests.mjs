import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const endOnSignal = new URL('end-on-signal.mjs', import.meta.url).href;

/** One that hangs must not keep the others from being counted. */
const LONGEST_MS = 25 * 60_000;

/** Runs a folder's *.test.mts, so many files at once, showing how it goes; the last line counts. */
export async function runNodeTests(folder, { concurrency = 1 } = {}) {
	const files = globSync(join(folder, '*.test.mts')).sort();
	const stopping = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

	const tests = run({
		files,
		concurrency,
		timeout: LONGEST_MS,
		execArgv: ['--import', endOnSignal],
		signal: stopping.signal,
	});
	let result = { success: false, counts: { passed: 0, failed: 0, cancelled: 0 } };
	// Those with a `file` count that file alone.
	tests.on('test:summary', (summary) => {
		if (summary.file === undefined) result = summary;
	});
	for await (const text of tests.compose(spec)) process.stdout.write(text);

	const { passed, failed, cancelled } = result.counts;
	// A file or a hook can fail without a test in it.
	const isEmpty = passed + failed + cancelled === 0;
	const unsuccessful = Math.max(failed + cancelled, result.success && !isEmpty ? 0 : 1);
	console.log(`${passed} passed, ${unsuccessful} failed`);
	process.exitCode = unsuccessful === 0 ? 0 : 1;
}
