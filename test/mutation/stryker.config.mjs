import { join } from 'node:path';

const { MUTATION_TESTS = '[]', MUTATION_REPORT = '' } = process.env;

export default {
	testRunner: 'jest',
	jest: {
		// Which tests there are is said below; it would leave out those that load the code by themselves.
		enableFindRelatedTests: false,
		config: {
			testEnvironment: join(import.meta.dirname, 'environment.mts'),
			runner: join(import.meta.dirname, 'runner.mts'),
			testMatch: JSON.parse(MUTATION_TESTS),
			// Code that counts what runs is slower.
			testTimeout: 10_000,
		},
	},
	coverageAnalysis: 'perTest',
	ignorePatterns: ['.git', 'dist', 'docs', 'playground', 'test/bench', 'test/e2e', 'test/versions'],
	reporters: ['dots', 'json'],
	jsonReporter: { fileName: MUTATION_REPORT },
	// On a busy machine tests that notice nothing must not look like ones that never end.
	timeoutFactor: 3,
	timeoutMS: 10_000,
	// What a file does when it is loaded needs all tests for each change: tables of texts, for the most part.
	ignoreStatic: true,
	// A change that ends the whole process counts as noticed, and is no news.
	logLevel: 'error',
	concurrency: 2,
};
