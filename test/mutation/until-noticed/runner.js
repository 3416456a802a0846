const { default: TestRunner } = require('jest-runner');

/** Runs test files for the mutation tester: a change that one file has noticed needs no others. */
module.exports = class extends TestRunner {
	async runTests(tests, watcher, options) {
		this.on('test-file-success', ([, { numFailingTests }]) => {
			if (numFailingTests > 0) watcher.setState({ interrupted: true });
		});
		await super.runTests(tests, watcher, options);
	}
};
