import { createRequire } from 'node:module';
import type Jest from 'jest-runner';

// Its types are those of a CommonJS module, which an import would not give.
const { default: TestRunner } = createRequire(import.meta.url)('jest-runner') as typeof Jest;

type Runner = InstanceType<typeof TestRunner>;

/** Runs test files for the mutation tester: a change that one file has noticed needs no others. */
export default class extends TestRunner {
	override async runTests(...[tests, watcher, options]: Parameters<Runner['runTests']>) {
		this.on('test-file-success', ([, { numFailingTests }]) => {
			if (numFailingTests > 0) void watcher.setState({ interrupted: true });
		});
		await super.runTests(tests, watcher, options);
	}
}
