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
	// These load the rest once more, and what is done at loading would count as run by a test.
	...(changes('') ? [] : ['/trigger/']),
	// It takes long, and tells about runs only.
	...(changes('run/') ? [] : ['/duplicateRules.properties.']),
];

const options = {
	mutate,
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
} as ConstructorParameters<typeof Stryker>[0];
await new Stryker(options).runMutationTest();
