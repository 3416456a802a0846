// `npm run mutate -- PART`: changes the code in one place after the other, and tells which change no test notices.
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

process.chdir(resolve(import.meta.dirname, '../..'));
const trigger = (files: string) => `nodes/FormResponses/trigger/${files}.ts`;

const parts: Record<string, string[]> = {
	actions: [
		'nodes/FormResponses/{actions,methods}/**/*.ts',
		'nodes/FormResponses/!(*.node).ts',
		'credentials/*.ts',
	],
	transport: ['nodes/FormResponses/transport/*.ts'],
	subscribe: [trigger('{subscribe/*,state/*,timing}')],
	receive: [trigger('{runInput,onlyIf*,oldestResponseWarning,receive/*}')],
	recover: [trigger('recover/*')],
	run: [trigger('run/*')],
};

const [name = ''] = process.argv.slice(2);
const mutate = globSync(Object.hasOwn(parts, name) ? parts[name]! : name);
if (mutate.length === 0) {
	const known = Object.keys(parts).join(', ');
	console.error(`No such part or file: "${name}". Parts: ${known}.`);
	process.exit(1);
}
const changes = (folder: string) => mutate.some((file) => file.includes(`/trigger/${folder}`));

const ignored = [
	// They load the code again, which would count as a test of all that runs at loading.
	...(changes('') ? [] : ['/trigger/']),
	// It takes long, and tests only runs.
	...(changes('run/') ? [] : ['/duplicateRules.properties.']),
];

const options = {
	mutate,
	testRunner: 'jest',
	jest: {
		// It would skip tests that load the code later than at their start.
		enableFindRelatedTests: false,
		config: {
			testEnvironment: join(import.meta.dirname, 'environment.mts'),
			runner: join(import.meta.dirname, 'runner.mts'),
			testMatch: ['**/test/unit/**/*.test.ts'],
			testPathIgnorePatterns: ignored,
			// Code that counts what runs is slow.
			testTimeout: 30_000,
		},
	},
	coverageAnalysis: 'perTest',
	ignorePatterns: ['.git', 'dist', 'docs', 'playground', 'tools/bench', 'test/n8n'],
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { reportTests: false, logTests: false, allowColor: false },
	// On a busy machine, slow tests must not look like tests that never end.
	timeoutFactor: 3,
	timeoutMS: 10_000,
	// A change in what runs at loading needs all tests that load it, and most of that is tables of texts. Tests of the
	// trigger load the code again, so there it can be told which of them to run.
	ignoreStatic: !changes(''),
	// Stryker warns of every change that ends the whole process.
	logLevel: 'error',
	cleanTempDir: 'always',
	concurrency: 2,
	// Jest leaks what each test file has loaded.
	maxTestRunnerReuse: 20,
} as ConstructorParameters<typeof Stryker>[0];
await new Stryker(options).runMutationTest();
