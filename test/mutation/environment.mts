import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';

/** The change for which a test has failed. */
let noticed: string | undefined;

/** Runs the tests of a file for the mutation tester: a change that one test has noticed needs no others. */
export default class extends TestEnvironment {
	handleTestEvent(event: Circus.Event) {
		// Set by the mutation tester while it tries one.
		const change = process.env.__STRYKER_ACTIVE_MUTANT__;
		if (change === undefined) return;
		if (event.name === 'test_start' && noticed === change) event.test.mode = 'skip';
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = change;
	}
}
