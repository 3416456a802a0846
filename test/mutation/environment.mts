import { createRequire } from 'node:module';

interface TestEvent {
	name: string;
	test: { mode?: string; errors: unknown[] };
}

/** What matters of it here. */
type CountingEnvironment = new (...settings: unknown[]) => {
	handleTestEvent(event: TestEvent, state: unknown): Promise<void>;
};

const Environment = createRequire(import.meta.url)(
	'@stryker-mutator/jest-runner/jest-env/node',
) as CountingEnvironment;

/** The change for which a test has failed. */
let noticed: string | undefined;

/** Runs the tests of a file for the mutation tester: a change that one test has noticed needs no others. */
export default class extends Environment {
	override async handleTestEvent(event: TestEvent, state: unknown) {
		await super.handleTestEvent(event, state);
		// Set by the mutation tester while it tries one.
		const change = process.env.__STRYKER_ACTIVE_MUTANT__;
		if (change === undefined) return;
		if (event.name === 'test_start' && noticed === change) event.test.mode = 'skip';
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = change;
	}
}
