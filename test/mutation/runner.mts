import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Jest from 'jest-runner';

// Its types are those of a CommonJS module, which an import would not give.
const { default: TestRunner } = createRequire(import.meta.url)('jest-runner') as typeof Jest;

type Runner = InstanceType<typeof TestRunner>;
type Files = Record<string, { tests: string[]; duration: number }>;

/** In the copy of the project that is changed. */
const path = join(process.cwd(), '.test-files.json');

/** Runs for a change only the files with tests that reach it, the quickest first, until one has noticed it. */
export default class extends TestRunner {
	override async runTests(...[tests, watcher, options]: Parameters<Runner['runTests']>) {
		const files: Files = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
		const isChanged = process.env.__STRYKER_ACTIVE_MUTANT__ !== undefined;
		this.on(
			'test-file-success',
			([{ path: file }, { numFailingTests, testResults, perfStats }]) => {
				if (numFailingTests > 0) void watcher.setState({ interrupted: true });
				files[file] = {
					tests: testResults.map((one) => one.fullName),
					duration: perfStats.runtime,
				};
			},
		);
		const reaching = new RegExp(this._globalConfig.testNamePattern ?? '');
		const chosen = tests
			.filter((one) => !isChanged || files[one.path]?.tests.some((name) => reaching.test(name)))
			.sort((a, b) => (files[a.path]?.duration ?? 0) - (files[b.path]?.duration ?? 0));
		await super.runTests(chosen, watcher, options);
		if (!isChanged) writeFileSync(path, JSON.stringify(files));
	}
}
