const { globSync, readFileSync } = require('node:fs');
const { dirname, join, matchesGlob, sep } = require('node:path');
const { testMatch, modulePathIgnorePatterns } = require('../../jest.config');
const { manifest, root } = require('./built');

/** What `node test/run/folder.mts FOLDER` is run with, in package.json and in test/run.mts. */
const commands = [
	...Object.values(manifest.scripts),
	readFileSync(join(root, 'test', 'run.mts'), 'utf8'),
].join('\n');
const folders = [...commands.matchAll(/test\/run\/folder\.mts ([\w/-]+)/g)].map(([, name]) => name);

const isOfJest = (/** @type {string} */ file) =>
	[testMatch ?? []]
		.flat()
		.some((pattern) => matchesGlob(file, pattern.replace('<rootDir>/', ''))) &&
	!modulePathIgnorePatterns?.some((pattern) =>
		new RegExp(pattern.replace('<rootDir>/', '^')).test(file),
	);

const isOfFolder = (/** @type {string} */ file) =>
	file.endsWith('.test.mts') && folders.includes(dirname(file));

const files = globSync('{nodes,credentials,playground,test}/**/*.{test,spec}.*', {
	cwd: root,
	exclude: (name) => name.includes('node_modules'),
}).map((file) => file.split(sep).join('/'));

test('every file of tests is run by some command', () => {
	expect(files.length).toBeGreaterThan(100);
	expect(files.filter((file) => !isOfJest(file) && !isOfFolder(file))).toEqual([]);
});

test('no test passes because it fails', () => {
	const isFailing = (/** @type {string} */ file) =>
		/\b(test|it)\.failing\b/.test(readFileSync(join(root, file), 'utf8'));
	expect(files.filter(isFailing)).toEqual([]);
});
