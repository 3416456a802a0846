import type { Counts } from './node-tests.mts';

export interface Output {
	stdout: string;
	stderr: string;
}

/** What people see, where a command's own output is for machines. */
type Counted = Counts & { output?: string };

/** What `jest --json` reports, of which more is known than is used here. */
interface JestReport {
	numPassedTests: number;
	numFailedTests: number;
	numRuntimeErrorTestSuites: number;
	numPendingTests: number;
	numTodoTests: number;
}

/** Reads the report of `jest --json`, which also writes for people, to stderr; undefined where Jest did not get that far. */
export function testsOfJest({ stdout, stderr }: Output): Counted | undefined {
	const line = stdout.split('\n').find((text) => text.startsWith('{"num'));
	if (line === undefined) return undefined;
	const report = JSON.parse(line) as JestReport;
	return {
		passed: report.numPassedTests,
		// A file that could not be run has no tests that could fail; one that is skipped says nothing.
		failed:
			report.numFailedTests +
			report.numRuntimeErrorTestSuites +
			report.numPendingTests +
			report.numTodoTests,
		output: stderr,
	};
}

/** Reads the last line of a test command, as in "12 passed, 0 failed". */
export function testsOfLastLine({ stdout }: Output): Counted | undefined {
	const lastLine = stdout.trimEnd().split('\n').at(-1) ?? '';
	const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
	return passed === undefined ? undefined : { passed: Number(passed), failed: Number(failed) };
}
