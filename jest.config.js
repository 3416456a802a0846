/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
	testMatch: ['<rootDir>/test/**/*.test.{ts,js}'],
	modulePathIgnorePatterns: ['<rootDir>/test/(bench|e2e|queue|versions)/'],
	transform: {
		// Types are checked by `tsc -p test`, a stage of its own in run.mjs.
		'\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }],
	},
	globalSetup: '<rootDir>/test/n8n/folder/create.js',
	globalTeardown: '<rootDir>/test/n8n/folder/remove.js',
	setupFiles: ['<rootDir>/test/n8n/folder/choose.js'],
	setupFilesAfterEnv: ['<rootDir>/test/n8n/network.js'],
	restoreMocks: true,
};
