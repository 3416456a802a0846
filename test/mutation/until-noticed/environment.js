const TestEnvironment = require('@stryker-mutator/jest-runner/jest-env/node');

/** The change for which a test has failed. */
let noticed;

/** Runs the tests of a file for the mutation tester: a change that one test has noticed needs no others. */
module.exports = class extends TestEnvironment {
	async handleTestEvent(event, state) {
		await super.handleTestEvent?.(event, state);
		// Set by the mutation tester while it tries one.
		const change = process.env.__STRYKER_ACTIVE_MUTANT__;
		if (change === undefined) return;
		if (event.name === 'test_start' && noticed === change) event.test.mode = 'skip';
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = change;
	}
};
