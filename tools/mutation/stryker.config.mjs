import { join } from 'node:path';

/** @param {string} folder */
const changes = (folder) => process.argv.join().includes(`/trigger/${folder}`);

const ignored = [
	// These load the rest once more, and what is done at loading would count as run by a test.
	...(changes('') ? [] : ['/trigger/']),
	// It takes long, and tells about runs only.
	...(changes('run/') ? [] : ['/duplicateRules.properties.']),
];

export default {
	testRunner: 'jest',
	jest: {
		// It would leave out tests that load the code by themselves.
		enableFindRelatedTests: false,
		config: {
			testEnvironment: 'jest-environment-node',
			runner: join(import.meta.dirname, 'runner.mts'),
			testMatch: ['**/test/unit/**/*.test.ts'],
			testPathIgnorePatterns: ignored,
			// Code that counts what runs is slower.
			testTimeout: 10_000,
		},
	},
	coverageAnalysis: 'perTest',
	ignorePatterns: ['.git', 'dist', 'docs', 'playground', 'tools/bench', 'test/n8n'],
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { reportTests: false, logTests: false, allowColor: false },
	// On a busy machine tests that notice nothing must not look like ones that never end.
	timeoutFactor: 3,
	timeoutMS: 10_000,
	// What a file does when it is loaded needs all tests for each change: tables of texts, for the most part. Those of
	// the trigger load it again as another process does, and would be the only ones to run.
	ignoreStatic: !changes(''),
	// A change that ends the whole process is no news.
	logLevel: 'error',
	cleanTempDir: 'always',
	concurrency: 2,
};
