import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';

/** Once a test has noticed the change, the rest of its file is skipped: Jest cannot do this within a file. */
export default class extends TestEnvironment {
	#isNoticed = false;

	handleTestEvent(event: Circus.Event) {
		if (event.name === 'test_start' && this.#isNoticed) event.test.mode = 'skip';
		if (event.name === 'test_done') this.#isNoticed ||= event.test.errors.length > 0;
	}
}
