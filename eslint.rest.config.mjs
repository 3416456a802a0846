// What n8n's lint does not read: everything but the `.ts` files; of those only how long their functions are.
import eslint from '@eslint/js';
import { globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	globalIgnores(['dist', 'package.json']),
	{ files: ['**/*.{js,mjs,mts}'], extends: [eslint.configs.recommended] },
	{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
	{
		files: ['**/*.{js,mjs,mts,ts}'],
		// Their suites are functions too.
		ignores: ['**/*.test.*'],
		rules: {
			'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
		},
	},
	{
		files: ['**/*.mts'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: {
				project: 'playground/tsconfig.json',
				tsconfigRootDir: import.meta.dirname,
			},
		},
		rules: {
			// Functions of objects that closures make: none of them uses `this`.
			'@typescript-eslint/unbound-method': 'off',
			// The lint of the package asks for `async` wherever a function gives a promise.
			'@typescript-eslint/require-await': 'off',
			// What n8n, the service and JSON.parse give is checked where it is compared.
			...Object.fromEntries(
				['no-explicit-any', 'no-base-to-string']
					.concat(
						['argument', 'assignment', 'call', 'member-access', 'return'].map(
							(what) => `no-unsafe-${what}`,
						),
					)
					.map((name) => [`@typescript-eslint/${name}`, 'off']),
			),
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
			'@typescript-eslint/restrict-template-expressions': [
				'error',
				{
					allowNumber: true,
					allow: [{ from: 'package', name: 'URLSearchParams', package: 'node:url' }],
				},
			],
			// node:test waits for what a test or a suite returns.
			'@typescript-eslint/no-floating-promises': [
				'error',
				{
					allowForKnownSafeCalls: ['describe', 'test', 'suite', 'it'].map((name) => ({
						from: 'package',
						name,
						package: 'node:test',
					})),
				},
			],
		},
	},
	{
		files: ['**/*.js'],
		languageOptions: { sourceType: 'commonjs', globals: { ...globals.node, ...globals.jest } },
	},
	{ files: ['**/*.mjs'], languageOptions: { globals: globals.node } },
);
