import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Jest from 'jest-runner';

// An import would give it other types: it is a CommonJS module.
const { default: TestRunner } = createRequire(import.meta.url)('jest-runner') as typeof Jest;

type Runner = InstanceType<typeof TestRunner>;

/** Names of tests by file, kept in the copy of the project that Stryker changes. */
const path = join(process.cwd(), '.tests.json');

/** Runs for a change only the files with tests that reach it, the quickest first, until one has noticed it. */
export default class extends TestRunner {
	override async runTests(...[files, watcher, options]: Parameters<Runner['runTests']>) {
		const names: Record<string, string[]> = existsSync(path)
			? JSON.parse(readFileSync(path, 'utf8'))
			: {};
		const isChanged = process.env.__STRYKER_ACTIVE_MUTANT__ !== undefined;
		this.on('test-file-success', ([file, { numFailingTests, testResults }]) => {
			if (numFailingTests > 0) void watcher.setState({ interrupted: true });
			names[file.path] = testResults.map(({ fullName }) => fullName);
		});
		const reaching = new RegExp(this._globalConfig.testNamePattern ?? '');
		const chosen = files
			.filter((file) => !isChanged || names[file.path]?.some((name) => reaching.test(name)))
			.sort((a, b) => (a.duration ?? 0) - (b.duration ?? 0));
		await super.runTests(chosen, watcher, options);
		if (!isChanged) writeFileSync(path, JSON.stringify(names));
	}
}
