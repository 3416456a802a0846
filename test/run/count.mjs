/**
 * Reads the report of `jest --json`, which also writes for people, to stderr.
 *
 * @returns how many tests passed and failed; undefined where Jest did not get that far
 */
export function testsOfJest({ stdout, stderr }) {
	const line = stdout.split('\n').find((text) => text.startsWith('{"num'));
	if (line === undefined) return undefined;
	const report = JSON.parse(line);
	return {
		passed: report.numPassedTests,
		// A file that could not be run has no tests that could fail.
		failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
		// The report itself is for machines.
		output: stderr,
	};
}

/** Reads the summary of Node's `spec` reporter: one line for each count, as in `ℹ pass 12`. */
export function testsOfNode({ stdout }) {
	const countOf = (name) => {
		const line = new RegExp(`^ℹ ${name} (\\d+)`, 'm').exec(stdout);
		return line ? Number(line[1]) : undefined;
	};
	const passed = countOf('pass');
	const failed = countOf('fail');
	if (passed === undefined || failed === undefined) return undefined;
	return { passed, failed: failed + (countOf('cancelled') ?? 0) };
}
