/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/unit/kit/jest/environment.js',
	roots: [
		'<rootDir>/test/unit',
		'<rootDir>/test/package',
		'<rootDir>/nodes',
		'<rootDir>/credentials',
	],
	testMatch: ['<rootDir>/test/{unit,package}/**/*.test.{ts,js}'],
	transform: {
		// Types are checked by `tsc -p test`, a stage of its own in tools/runner/npm-test.mts.
		'\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }],
	},
	// A fifth of each file's time, and no test uses it: n8n's next engine for expressions, its AI nodes, files by a pattern,
	// SSH, the alphabets of the world, and an HTTP client beside the one that serves nodes.
	moduleNameMapper: {
		'^(@n8n/expression-runtime|@langchain/.+|fast-glob|ssh2|transliteration|undici)$':
			'<rootDir>/test/unit/kit/jest/unused.js',
	},
	globalSetup: '<rootDir>/test/unit/kit/jest/create-user-folder.js',
	globalTeardown: '<rootDir>/test/unit/kit/jest/remove-user-folder.js',
	setupFiles: ['<rootDir>/test/unit/kit/jest/choose-user-folder.js'],
	setupFilesAfterEnv: ['<rootDir>/test/unit/kit/jest/network.js'],
	restoreMocks: true,
	// A busy machine takes its time; no test measures it.
	testTimeout: 60_000,
};
