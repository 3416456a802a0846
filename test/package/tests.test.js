const { readFileSync } = require('node:fs');
const { dirname, join, matchesGlob } = require('node:path');
const { testMatch, modulePathIgnorePatterns } = require('../../jest.config');
const { filesIn, manifest, root } = require('./built');

/** What `node test/run/folder.mts FOLDER` is run with, in package.json and in test/run.mts. */
const commands = [
	...Object.values(manifest.scripts),
	readFileSync(join(root, 'test', 'run.mts'), 'utf8').replace(/^\s*\/\/.*/gm, ''),
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

const files = filesIn('.', /\.(test|spec)\.\w+$/);

test('every file of tests is run by some command', () => {
	expect(files.length).toBeGreaterThan(100);
	expect(files.filter((file) => !isOfJest(file) && !isOfFolder(file))).toEqual([]);
});

test('every command of tests is run by .ci/run, but for those of earlier versions', () => {
	const [, scripts = ''] =
		/^for script in (.+); do$/m.exec(readFileSync(join(root, '.ci', 'run'), 'utf8')) ?? [];
	const ofTests = Object.keys(manifest.scripts).filter((name) => /^test(:|$)/.test(name));
	expect([...scripts.split(' '), 'test:versions'].sort()).toEqual(ofTests.sort());
});

/** What files of tests call, or uses another part of node:test. */
const notTests = [
	'test/promise/shared-restart.mts',
	'test/queue/manual-runs.mts',
	'test/run/node-tests.mts',
];

test('no other file holds tests', () => {
	const usesTests = (/** @type {string} */ file) =>
		/from 'node:test'|^(test|describe|it)\b[.(]/m.test(readFileSync(join(root, file), 'utf8'));
	const code = filesIn('.', /\.[cm]?[jt]sx?$/).filter((file) => !files.includes(file));
	expect(code.filter(usesTests)).toEqual(notTests);
});
