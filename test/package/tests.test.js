const { readFileSync } = require('node:fs');
const { dirname, join, matchesGlob, relative } = require('node:path');
const ts = require('typescript');
const { modulePathIgnorePatterns, testMatch } = require('../../jest.config');
const { filesIn, manifest, root } = require('./built');

const stages = readFileSync(join(root, 'tools', 'runner', 'all.mts'), 'utf8');
const commands = [...Object.values(manifest.scripts), stages].join('\n');

const inJest = [testMatch ?? []].flat().map((glob) => glob.replace('<rootDir>/', ''));
const notInJest = (modulePathIgnorePatterns ?? []).map((one) => one.replace('<rootDir>/', '^'));

const isOfJest = (/** @type {string} */ file) =>
	inJest.some((glob) => matchesGlob(file, glob)) &&
	!notInJest.some((pattern) => new RegExp(pattern).test(file));

const isOfFolder = (/** @type {string} */ file) =>
	file.endsWith('.test.mts') && new RegExp(` ${dirname(file)}(?![\\w/])`).test(commands);

test('every file of tests is run by some command', () => {
	const files = filesIn('.', /\.(test|spec)\.\w+$/);
	expect(files.length).toBeGreaterThan(50);
	expect(files.filter((file) => !isOfJest(file) && !isOfFolder(file))).toEqual([]);
});

test('every command of tests is run by .ci/run, but for restarts and earlier versions', () => {
	expect(readFileSync(join(root, '.ci', 'run'), 'utf8')).toContain('tools/runner/all.mts --n8n');
	const scripts = Object.entries(manifest.scripts);
	const ofTests = scripts.filter(([name]) => /^test:(?!restarts|versions)/.test(name));
	const folders = ofTests.map(([, command]) => / (test\/n8n\/[\w-]+)/.exec(command)?.[1]);
	expect(folders.length).toBeGreaterThan(3);
	const isInStages = (/** @type {string | undefined} */ folder) =>
		new RegExp(` ${folder}(?![\\w/])`).test(stages);
	expect(folders.filter((folder) => !isInStages(folder))).toEqual([]);
});

/** @type {(project: string) => string[]} */
function filesOf(project) {
	const { config } = ts.readConfigFile(join(project, 'tsconfig.json'), ts.sys.readFile);
	return ts.parseJsonConfigFileContent(config, ts.sys, project).fileNames;
}

test('the types of every file of code are checked', () => {
	const projects = [...stages.matchAll(/tsc -p ([\w./]+)/g)].map(([, project = '']) => project);
	const checked = projects.flatMap((project) => filesOf(join(root, project)));
	const inRepository = new Set(checked.map((path) => relative(root, path).replaceAll('\\', '/')));
	const code = filesIn('.', /\.[cm]?[jt]sx?$/);
	expect(code.length).toBeGreaterThan(200);
	expect(code.filter((path) => !inRepository.has(path))).toEqual([]);
});
