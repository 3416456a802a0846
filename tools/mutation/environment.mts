import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';

/** How often each change was reached, at loading and by each test. */
interface Coverage {
	static: Record<string, number>;
	perTest: Record<string, Record<string, number>>;
}

let coverage: Coverage = { static: {}, perTest: {} };
const timesBefore: Record<string, number> = {};

/** The changes that test files reached since the last call, at loading or in a test. */
export function newlyReached(): string[] {
	const { static: atLoading, perTest } = coverage;
	const times: Record<string, number> = {};
	for (const counts of [atLoading, ...Object.values(perTest)])
		for (const [change, count] of Object.entries(counts))
			times[change] = (times[change] ?? 0) + count;
	const changes = Object.keys(times).filter((change) => times[change] !== timesBefore[change]);
	Object.assign(timesBefore, times);
	return changes;
}

/** Tells what a test file reaches. Once a test has noticed the change, skips the rest of its file. */
export default class extends TestEnvironment {
	#isNoticed = false;

	handleTestEvent(event: Circus.Event) {
		if (event.name === 'test_start' && this.#isNoticed) event.test.mode = 'skip';
		if (event.name === 'test_done') this.#isNoticed ||= event.test.errors.length > 0;
	}

	override async teardown() {
		const { __stryker__: stryker } = this.global as { __stryker__?: { mutantCoverage?: Coverage } };
		coverage = stryker?.mutantCoverage ?? coverage;
		await super.teardown();
	}
}
