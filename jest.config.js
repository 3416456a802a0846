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
	// A tenth of each file's time: n8n's next engine for expressions, its AI nodes, and the alphabets of the world.
	moduleNameMapper: {
		'^(@n8n/expression-runtime|@langchain/.+|transliteration)$':
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
