/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/in-process/environment.js',
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
	testMatch: ['<rootDir>/test/**/*.test.{ts,js}'],
	modulePathIgnorePatterns: ['<rootDir>/test/(bench|e2e|versions)/'],
	transform: {
		// Types are checked by `tsc -p test`, a stage of its own in test/run.mts.
		'\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }],
	},
	globalSetup: '<rootDir>/test/in-process/folder/create.js',
	globalTeardown: '<rootDir>/test/in-process/folder/remove.js',
	setupFiles: ['<rootDir>/test/in-process/folder/choose.js'],
	setupFilesAfterEnv: ['<rootDir>/test/in-process/network.js'],
	restoreMocks: true,
	// A busy machine takes its time; no test measures it.
	testTimeout: 60_000,
};
